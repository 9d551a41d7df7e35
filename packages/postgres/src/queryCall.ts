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
const preparedQuery = (text: string, values: ReadonlyArray<unknown>) => ({ name: nameOf(text), text, values })

/** SQLSTATE of a write on a standby, or on a server whose default is read-only. */
export const readOnlyServer = "25006"

/** The driver's message after its `query_timeout`. */
const readTimeout = "Query read timeout"

/**
 * Whether a connection must not be used again after this error. The server became read-only, and a new connection may
 * reach its successor; or a statement got no reply in time: a driver that does not pipeline would send ROLLBACK behind
 * it, and the connection would go back to the pool inside its transaction.
 */
const isUnusableAfter = (error: unknown): boolean =>
  error instanceof Error && (("code" in error && error.code === readOnlyServer) || error.message === readTimeout)

// biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
type Any = any

/**
 * The configuration and the callback of a call of the driver's `query`, in any of its forms. `end` is called before the
 * callback if the connection must not be used again. Without a callback the driver returns a promise, and the caller
 * closes the connection.
 */
export const queryCall = (
  given: ReadonlyArray<Any>,
  prepare: boolean,
  end: () => void
): [config: Any, callback: Any] => {
  const [statement, values, callback] = typeof given[1] === "function" ? [given[0], undefined, given[1]] : given
  const config =
    typeof statement !== "string"
      ? statement
      : prepare && values?.length > 0
        ? preparedQuery(statement, values)
        : { text: statement, values }
  if (callback === undefined) return [config, undefined]
  return [
    config,
    (error: unknown, result: unknown) => {
      if (error && isUnusableAfter(error)) end()
      callback(error, result)
    }
  ]
}
