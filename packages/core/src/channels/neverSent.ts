/** Errors of Node and of its `fetch` that come up before a connection stands. */
const beforeTheConnection = /^(UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

/**
 * Whether a request that failed so, by Node's `fetch`, certainly reached nobody: the connection for it was never made. For
 * providers, which must tell `Transient` from `Unknown`.
 */
export const neverSent = (cause: unknown): boolean =>
  rootsOf(cause).every(
    ({ code, syscall }) =>
      typeof code === "string" && (beforeTheConnection.test(code) || syscall === "connect" || syscall === "getaddrinfo")
  )

/** Why a request failed, by its code alone: what an error says in words may have the request in it. */
export const requestFailure = (cause: unknown): string => {
  const codes = rootsOf(cause).flatMap(({ code }) => (typeof code === "string" ? [code] : []))
  return codes.length === 0 ? "the connection failed" : `the connection failed: ${[...new Set(codes)].join(", ")}`
}

interface Root {
  readonly code?: unknown
  readonly syscall?: unknown
}

/** The innermost causes of an error; of one that stands for several (each address of a host), those of all. */
const rootsOf = (error: unknown): ReadonlyArray<Root> => {
  if (typeof error !== "object" || error === null) return [{}]
  const { cause, errors }: { cause?: unknown; errors?: unknown } = error
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap(rootsOf)
  return cause === undefined ? [error] : rootsOf(cause)
}
