/** The value of a key, made when the key is looked up first. */
export const getOrMake = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

/** Adds a value to the list of a key. */
export const push = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  getOrMake(map, key, (): Array<V> => []).push(value)
}
