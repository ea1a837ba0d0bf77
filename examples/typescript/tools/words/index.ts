import type { JsonValue, ToolContext, ToolHandler } from '@goondan/types';

interface CountInput {
  text: string;
  top?: number;
}

function occurrences(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

export const handlers: Record<string, ToolHandler> = {
  count: (ctx: ToolContext, input: CountInput): JsonValue => {
    const counts = occurrences(input.text);
    ctx.logger.debug('%d different words', counts.size);
    const ranked = [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
    return {
      words: [...counts.values()].reduce((sum, n) => sum + n, 0),
      most: ranked.slice(0, input.top ?? 3).map(([word, times]) => ({ word, times })),
    };
  },
};
