// The part of Bun that is there on Node too. Whoever runs only on Bun takes @types/bun instead.
export {};

declare global {
  const Bun: {
    readonly argv: string[];
    readonly env: Record<string, string | undefined>;
    file(path: string | URL | number, options?: { type?: string }): BunFile;
    nanoseconds(): number;
    sleep(time: number | Date): Promise<void>;
    spawn(command: string[], options?: BunSpawnOptions): BunSubprocess;
    spawn(options: BunSpawnOptions & { cmd: string[] }): BunSubprocess;
    which(command: string, options?: { PATH?: string; cwd?: string }): string | null;
    write(place: string | URL | number | BunFile, data: BunData, options?: { createPath?: boolean }): Promise<number>;
  };

  type BunData = string | ArrayBuffer | ArrayBufferView | Blob | Response;

  interface BunFile extends Blob {
    readonly name?: string;
    readonly lastModified: number;
    exists(): Promise<boolean>;
    json(): Promise<any>;
    write(data: BunData): Promise<number>;
    delete(): Promise<void>;
  }

  interface BunSpawnOptions {
    cwd?: string;
    env?: Record<string, string | undefined>;
    stdin?: 'pipe' | 'inherit' | 'ignore' | null | number | Blob | Response | ReadableStream | ArrayBufferView;
    stdout?: 'pipe' | 'inherit' | 'ignore' | null | number | BunFile;
    stderr?: 'pipe' | 'inherit' | 'ignore' | null | number | BunFile;
    signal?: AbortSignal;
    timeout?: number;
    killSignal?: string | number;
    onExit?(process: BunSubprocess, exitCode: number | null, signalCode: number | null): void;
  }

  interface BunSubprocess {
    readonly pid: number;
    readonly stdin: { write(data: string | ArrayBufferView | ArrayBuffer): number; flush(): void; end(): void };
    readonly stdout: ReadableStream<Uint8Array>;
    readonly stderr: ReadableStream<Uint8Array>;
    readonly exited: Promise<number>;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    readonly killed: boolean;
    kill(signal?: number | string): void;
  }
}
