type Labels = Readonly<Record<string, string | number>>;

/** Memory, CPU and event loop of this process. */
export function writeProcess(page: MetricsPage): void {
	const {user, system} = process.cpuUsage();
	page.family('process_cpu_seconds_total', 'counter', 'CPU time of the process.').add((user + system) / 1e6);
	page.family('process_resident_memory_bytes', 'gauge', 'Memory of the process.').add(process.memoryUsage.rss());
	page
		.family(
			'pulsetop_event_loop_busy_ratio',
			'gauge',
			'Share of the time since the start in which the event loop worked.',
		)
		.add(performance.eventLoopUtilization().utilization);
}

/** One sample with its labels. */
class Family {
	readonly #head: string;
	readonly #name: string;
	readonly #lines: string[] = [];

	constructor(name: string, type: string, help: string) {
		this.#name = name;
		this.#head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
	}

	/** @param value undefined: unknown, and left out */
	add(value: number | undefined, labels: Labels = {}, suffix = ''): void {
		if (value === undefined || !Number.isFinite(value)) return;
		const written = Object.entries(labels).map(([name, label]) => `${name}="${escaped(String(label))}"`);
		this.#lines.push(`${this.#name}${suffix}${written.length > 0 ? `{${written.join(',')}}` : ''} ${value}\n`);
	}

	text(): string {
		return this.#lines.length === 0 ? '' : this.#head + this.#lines.join('');
	}
}

/** The families of a response, in their order. */
export class MetricsPage {
	readonly #families: Family[] = [];

	family(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): Family {
		const family = new Family(name, type, help);
		this.#families.push(family);
		return family;
	}

	text(): string {
		return this.#families.map(family => family.text()).join('');
	}
}

function escaped(label: string): string {
	return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
