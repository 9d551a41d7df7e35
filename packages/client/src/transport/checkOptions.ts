/**
 * Throws a `TypeError` if options, which may come from untyped JavaScript, are not an object or have other names than
 * these. `expected` says what they must be. A misspelt `idempotencyKey` that counts as absent would send twice.
 */
export const checkOptions = (expected: string, options: unknown, names: ReadonlyArray<string>): void => {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${expected}: ${names.join(", ")}`)
  }
  const unknown = Object.keys(options).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`${unknown.join(" and ")} must be left out: the options are ${names.join(", ")}`)
  }
}
