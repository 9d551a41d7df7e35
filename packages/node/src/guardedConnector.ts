import { lookup as systemLookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { buildConnector } from "undici"
import type { AddressGuard } from "./AddressGuard.js"
import { watchUse } from "./usedConnections.js"

/** None of a host's addresses may be connected to. */
export class AddressNotAllowed extends Error {
  readonly code = "PARLEY_ADDRESS_NOT_ALLOWED"
}

/** Name resolution and trusted certificate authorities. */
export interface ConnectorOptions {
  /** Resolves host names. Default: the system's resolver. */
  readonly lookup?: LookupFunction | undefined
  /** Trusted certificate authorities in PEM, instead of Node's list. */
  readonly ca?: string | undefined
}

/**
 * Opens sockets only to addresses that the guard allows. Filters the addresses that the resolver returns for this
 * connection, so that DNS rebinding after an earlier check has no effect.
 */
export const guardedConnector = (guard: AddressGuard, options: ConnectorOptions): buildConnector.connector => {
  const connect = buildConnector({
    lookup: guardedLookup(guard, options.lookup ?? systemLookup),
    // Node's default is 250 ms before it tries the next address: too short for distant hosts.
    autoSelectFamilyAttemptTimeout: 1_000,
    timeout: 10_000,
    ...(options.ca === undefined ? {} : { ca: options.ca })
  })
  return (target, callback) => {
    // Node does not call `lookup` for IP addresses.
    if (isIP(target.hostname) !== 0 && !guard.allows(target.hostname)) callback(new AddressNotAllowed(), null)
    else {
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        watchUse(socket)
        callback(null, socket)
      })
    }
  }
}

const guardedLookup =
  (guard: AddressGuard, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error !== null) return callback(error, "")
      const all = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }]
      const allowed = all.filter(({ address }) => guard.allows(address))
      const [first] = allowed
      if (first === undefined) callback(new AddressNotAllowed(), "")
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
