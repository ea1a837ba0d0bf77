// Types for tools and extensions of goondan. docs/typescript.md explains how to use them.
export * from './json';
export * from './message';
export * from './agents';
export * from './tool';
export * from './extension';
export * from './middleware';
