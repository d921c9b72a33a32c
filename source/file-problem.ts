const PROBLEMS: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or directory',
	ENOTDIR: 'a part of its path is a file',
	EISDIR: 'it is a directory',
	EEXIST: 'there is such a file already',
	EACCES: 'permission is denied',
	EPERM: 'permission is denied',
	ELOOP: 'its links lead in a circle',
	ENAMETOOLONG: 'its name is too long',
	ENOSPC: 'the disk is full',
	EDQUOT: 'your share of the disk is full',
	EROFS: 'the file system is read-only',
	EIO: 'the disk reports an error',
	EFBIG: 'the file is as large as it may be (ulimit -f)',
};

/** Why a file can't be read or written, in words that follow a subject. */
export function fileProblem(error: unknown): string {
	const {code = '', message = String(error)} = error as Partial<NodeJS.ErrnoException>;
	return PROBLEMS[code] ?? message;
}
