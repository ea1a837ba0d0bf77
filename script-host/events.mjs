// Events between the extensions of this process. Those of other processes come and go over the link.

export class EventBus {
  #listeners = new Map();

  // Returns what takes the listener out again.
  on(name, listener) {
    if (typeof listener !== 'function') throw new TypeError('api.events.on takes a name and a function');
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    const entry = { listener };  // the same function may listen twice
    this.#listeners.get(name).add(entry);
    return () => void this.#listeners.get(name)?.delete(entry);
  }

  // A listener that fails is logged; the others are called all the same.
  emit(name, payload) {
    for (const { listener } of [...(this.#listeners.get(name) ?? [])]) {
      try {
        Promise.resolve(listener(payload)).catch((thrown) => report(name, thrown));
      } catch (thrown) {
        report(name, thrown);
      }
    }
  }
}

// The bus as the extension of this name sees it; without a name, as a tool does.
export function eventsApi(link, bus, extension) {
  return {
    on: (name, listener) => bus.on(String(name), listener),
    emit: (name, payload) => {
      const said = { name: String(name), payload: payload ?? null };
      link.notify(callOfExtensions(link), 'events.emit', extension === undefined ? said : { extension, ...said });
      bus.emit(String(name), payload);
    },
  };
}

// Whoever waits for a tool does not listen to events.
function callOfExtensions(link) {
  const call = link.current.getStore();
  return call?.method === 'register' || call?.method === 'layer' ? call : null;
}

function report(name, thrown) {
  console.error(`a listener to '${name}' failed:`, thrown);
}
