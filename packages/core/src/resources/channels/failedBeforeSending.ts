/** Error codes of Node that occur before the connection is established. */
const beforeTheConnection =
  /^(UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_CHAR|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

/**
 * Whether a request that failed with this error of Node's HTTP client or `fetch` was certainly not sent, because no
 * connection was established. Providers use it to distinguish `Transient` from `Unknown`.
 */
export const failedBeforeSending = (cause: unknown): boolean =>
  rootsOf(cause).every(
    ({ code, syscall }) =>
      typeof code === "string" && (beforeTheConnection.test(code) || syscall === "connect" || syscall === "getaddrinfo")
  )

/** Describes a failed request by its error codes only: the messages of errors may contain parts of the request. */
export const requestFailure = (cause: unknown): string => {
  const codes = rootsOf(cause).flatMap(({ code }) => (typeof code === "string" ? [code] : []))
  return codes.length === 0 ? "the connection failed" : `the connection failed: ${[...new Set(codes)].join(", ")}`
}

interface Root {
  readonly code?: unknown
  readonly syscall?: unknown
}

/**
 * The innermost causes of an error; for an aggregate error (one for each address of a host), those of all its errors.
 */
const rootsOf = (error: unknown): ReadonlyArray<Root> => {
  if (typeof error !== "object" || error === null) return [{}]
  const { cause, errors }: { cause?: unknown; errors?: unknown } = error
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap(rootsOf)
  return cause === undefined ? [error] : rootsOf(cause)
}
