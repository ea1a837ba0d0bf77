// Promises of things that authors need not wait for: registrations, changes of the conversation,
// `next()`. Whoever ends the work around them waits for all of them, and learns of failures that
// nobody has looked at.

export class Tracked extends Promise {
  observed = false;
  #failure = super.then(() => undefined, (thrown) => ({ thrown }));

  static get [Symbol.species]() {
    return Promise;
  }

  static of(promise) {
    return new Tracked((resolve, reject) => promise.then(resolve, reject));
  }

  then(resolved, rejected) {
    this.observed = true;
    return super.then(resolved, rejected);
  }

  // Why it failed, if it did; undefined otherwise. Does not count as a look.
  failure() {
    return this.#failure;
  }
}

// Waits for all of the list, which may grow meanwhile, whatever becomes of them.
export async function settled(list) {
  for (let i = 0; i < list.length; ++i) await list[i].failure();
}

// The same, but throws the first failure nobody has seen.
export async function settle(list) {
  let first;
  for (let i = 0; i < list.length; ++i) {
    const failed = await list[i].failure();
    if (failed !== undefined && !list[i].observed) first ??= failed;
  }
  if (first !== undefined) throw first.thrown;
}
