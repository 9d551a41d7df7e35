/**
 * Throws a `TypeError` if the options, which may come from untyped JavaScript, are not an object, or if one has another
 * name than these.
 */
export const checkOptions = (caller: string, options: unknown, names: ReadonlyArray<string>): void => {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${caller} takes one object with all options: ${names.join(", ")}`)
  }
  const unknown = Object.keys(options).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`${unknown.join(" and ")} must be left out: the options are ${names.join(", ")}`)
  }
}

/**
 * Throws a `TypeError` if the options of a call, which may come from untyped JavaScript, are not an object, or if one
 * has another name than these. A misspelt `idempotencyKey` that counts as absent would send twice.
 */
export const checkCallOptions = (options: unknown, names: ReadonlyArray<string>): void => {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`the options of a call must be an object with ${names.join(", ")}`)
  }
  const unknown = Object.keys(options).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`${unknown.join(" and ")} must be left out: the options of this call are ${names.join(", ")}`)
  }
}
