/**
 * Describes a failed request. Does not use the library's message, which may contain data that customers must not see.
 */
export const failureMessage = (failure: unknown): string => {
  const code = codeOf(failure)
  return message[code] ?? families.find(([pattern]) => pattern.test(code))?.[1] ?? "request failed"
}

const codeOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return ""
  // undici closes the connection itself, and has no code for it.
  if (failure.message === "bad response" || failure.message === "bad upgrade") return "PARLEY_UNASKED"
  // undici loses the code of most parser errors.
  return "code" in failure && typeof failure.code === "string" ? failure.code : failure.name
}

const closed = "connection closed before the answer was complete"
const unreachable = "host not reachable"
const notFound = "host name not found"
const untrusted = "TLS certificate is not from a trusted authority"

const message: { readonly [code: string]: string } = {
  PARLEY_ADDRESS_NOT_ALLOWED: "address not allowed",
  PARLEY_UNASKED: "answered 100 Continue or an upgrade of the protocol, which was not asked for",
  ECONNREFUSED: "connection refused",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  ENOTFOUND: notFound,
  ENODATA: notFound,
  EAI_AGAIN: "host name could not be looked up",
  ERR_INVALID_URL: "URL not valid",
  UND_ERR_INVALID_ARG: "request not valid",
  UND_ERR_HEADERS_OVERFLOW: "answer headers too large",
  CERT_HAS_EXPIRED: "TLS certificate has expired",
  CERT_NOT_YET_VALID: "TLS certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS certificate is for another host name",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted
}

/** Prefixes and patterns of codes: Node passes on several hundred error codes of OpenSSL. */
const families: ReadonlyArray<readonly [RegExp, string]> = [
  [/CERT|^UNABLE_TO_|^CRL_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^PATH_LENGTH/, "TLS certificate not valid"],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, "TLS handshake failed"],
  [/^HTTPParserError$|^HPE_/, "answer is not valid HTTP"]
]
