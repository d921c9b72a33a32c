import type {Database} from '../store/database.ts';

/** The channel that wakes readers of the log; leaders alone send on it, since all commits with a message wait for each other. */
export const WRITTEN = 'market_log';

/**
 * The tables of the market log.
 *
 * `market_head` has one row, and its lock gives all writers one order without holes. `market_append` is one statement for its
 * caller and so one transaction: it locks the lease against being taken while it writes, then the head, then writes. A lease
 * that was taken in the meantime has another owner or fence.
 */
export function logTables({integer, bytes}: Database['dialect']): string[] {
	return [
		`CREATE TABLE market_head (
			one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
			epoch TEXT NOT NULL,
			seq ${integer} NOT NULL,
			at_ms ${integer} NOT NULL,
			made_ms ${integer} NOT NULL,
			sources TEXT
		) WITH (fillfactor = 10)`,
		`CREATE TABLE market_log (
			at_ms ${integer} NOT NULL,
			seq ${integer} NOT NULL,
			data ${bytes} NOT NULL
		) PARTITION BY RANGE (at_ms)`,
		// Records come deflated.
		'ALTER TABLE market_log ALTER COLUMN data SET STORAGE EXTERNAL',
		'CREATE INDEX market_log_seq ON market_log (seq)',
		`CREATE FUNCTION market_append(
			lease_name TEXT, lease_owner TEXT, lease_fence BIGINT, clock_ms BIGINT, lengths TEXT, records BYTEA
		) RETURNS BIGINT LANGUAGE plpgsql AS $$
		DECLARE
			sizes INT[] := string_to_array(lengths, ',')::INT[];
			last_seq BIGINT;
			last_ms BIGINT;
		BEGIN
			PERFORM FROM leases
				WHERE name = lease_name AND owner = lease_owner AND fence = lease_fence AND until_ms > clock_ms FOR SHARE;
			IF NOT FOUND THEN RETURN NULL; END IF;
			UPDATE market_head SET seq = seq + cardinality(sizes), at_ms = greatest(at_ms, clock_ms)
				RETURNING seq, at_ms INTO STRICT last_seq, last_ms;
			INSERT INTO market_log (at_ms, seq, data)
				SELECT last_ms, last_seq - cardinality(sizes) + n, substring(records FROM (before + 1)::INT FOR size)
				FROM (
					SELECT n, size, sum(size) OVER (ORDER BY n) - size AS before
					FROM unnest(sizes) WITH ORDINALITY AS one (size, n)
				) AS parts;
			PERFORM pg_notify(current_schema() || '.${WRITTEN}', '');
			RETURN last_seq;
		END $$`,
	];
}
