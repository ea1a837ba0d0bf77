// What the seeds' examples use of @types/node.
declare module 'path' {
  export function join(...parts: string[]): string;
  export function isAbsolute(path: string): boolean;
}
