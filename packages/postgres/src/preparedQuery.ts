import { createHash } from "node:crypto"

const names = new Map<string, string>()

/** A name for a statement, the same in every process. */
const nameOf = (text: string): string => {
  let name = names.get(text)
  if (name === undefined) {
    name = `parley_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`
    // There is a fixed number of statements, but lists with many filters have many texts: bound the map.
    if (names.size < 1_000) names.set(text, name)
  }
  return name
}

/** The driver's configuration of a statement with parameters, which is prepared once for each connection. */
export const preparedQuery = (text: string, values: ReadonlyArray<unknown>) => ({ name: nameOf(text), text, values })
