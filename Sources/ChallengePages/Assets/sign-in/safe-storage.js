// Storage that may be blocked.

/** A storage of the browser or, if the browser denies access, the page's memory, which its components share. */
class SafeStorage {
  static #memories = {};

  constructor(name) {
    this.name = name;
    this.memory = SafeStorage.#memories[name] = SafeStorage.#memories[name] || new Map();
    try { this.storage = window[name + 'Storage']; } catch (_) { this.storage = null; }
  }

  get(key) {
    try {
      const text = this.storage ? this.storage.getItem(key) : null;
      return JSON.parse(text || this.memory.get(key) || 'null');
    } catch (_) { return null; }
  }

  /** In a storage that is full, the old value is removed, or it would be read again, such as a token that was used. */
  set(key, value) {
    const text = JSON.stringify(value);
    this.memory.delete(key);
    try { this.storage.setItem(key, text); } catch (_) {
      this.remove(key);
      try { this.storage.setItem(key, text); } catch (_) { this.memory.set(key, text); }
    }
  }

  remove(key) {
    this.memory.delete(key);
    try { this.storage.removeItem(key); } catch (_) { /* It was not stored there. */ }
  }
}
