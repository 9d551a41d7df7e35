/** Problems of a server's certificate or TLS by the codes of Node and OpenSSL, to follow the name of the server. */
const problems: ReadonlyArray<readonly [RegExp, string]> = [
  [/^CERT_HAS_EXPIRED$/, "has a certificate that has expired"],
  [/^CERT_NOT_YET_VALID$/, "has a certificate that is not valid yet"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "has a certificate for another host name"],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/,
    "has a certificate that no known authority signed"
  ],
  [/^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/, "does not answer with TLS"],
  [/^ERR_SSL_(TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/, "has no version of TLS that is permitted"]
]

/** Why no protected connection came about, with the code; null where the code says something else. */
export const tlsProblemOf = (code: string | undefined): string | null => {
  const found = problems.find(([codes]) => codes.test(code ?? ""))
  return found === undefined ? null : `${found[1]}: ${code}`
}
