export class Extensions { constructor(link, modules) {} methods() { return {}; } tool() { throw new Error('none'); } }
