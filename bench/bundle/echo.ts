type Input = { text: string };

export const handlers = {
  echo: async (_ctx: unknown, input: Input) => ({ text: input.text }),
};
