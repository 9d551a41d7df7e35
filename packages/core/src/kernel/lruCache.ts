import { LRUCache } from "lru-cache"

/**
 * Creates a cache of at most `maxEntries` values, which drops the least recently used one. It allocates memory as it
 * grows: with its option `max`, the library allocates for all entries at once, which takes a millisecond for 10,000.
 */
export const lruCache = <V extends {}>(maxEntries: number): LRUCache<string, V> =>
  new LRUCache<string, V>({ maxSize: maxEntries, sizeCalculation: () => 1 })
