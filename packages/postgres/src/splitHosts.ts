const multiHost = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * The URLs of the hosts of `postgres://user:password@host1:port1,host2:port2/database`, in libpq's notation, or the
 * description of valid URLs (docs/reference/running.md#database-and-data-directory). Parley writes, so that of libpq's
 * values of `target_session_attrs` only those that select a primary are valid.
 *
 * @example
 * ```ts
 * splitHosts("postgres://a,b:5433/shop") // ["postgres://a/shop", "postgres://b:5433/shop"]
 * ```
 */
export const splitHosts = (url: string): ReadonlyArray<string> | string => {
  const [, start = "", hosts = "", end = ""] = multiHost.exec(url) ?? []
  const attribute = /[?&]target_session_attrs=([^&#]*)/.exec(end)?.[1]
  if (attribute !== undefined && attribute !== "read-write" && attribute !== "primary") {
    return "must have target_session_attrs=read-write or none: Parley connects to the host that accepts writes"
  }
  const urls = hosts.split(",").map((host) => `${start}${host}${end}`)
  return urls.every((one) => start !== "" && parses(one))
    ? urls
    : "must be postgres://<user>:<password>@<host>/<database>; commas separate several hosts"
}

const parses = (url: string): boolean => {
  try {
    return new URL(url).protocol.startsWith("postgres")
  } catch {
    return false
  }
}
