import { lookup as systemLookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { buildConnector } from "undici"
import type { AddressGuard } from "./AddressGuard.js"
import { watchUse } from "./usedConnections.js"

/** None of the addresses that a host stands for may be connected to. */
export class AddressNotAllowed extends Error {
  readonly code = "PARLEY_ADDRESS_NOT_ALLOWED"
}

/** How names become addresses, and whose certificates are trusted. */
export interface ConnectorOptions {
  /** Resolves host names; the system's resolver by default. */
  readonly lookup?: LookupFunction | undefined
  /** PEM certificates of the authorities to trust in place of Node's own list. */
  readonly ca?: string | undefined
}

/**
 * Opens sockets to addresses that the guard allows, and to no other. It filters what the resolver answers for this very
 * connection, so that a name that has changed its mind since it was last looked at gains nothing.
 */
export const guardedConnector = (guard: AddressGuard, options: ConnectorOptions): buildConnector.connector => {
  const connect = buildConnector({
    lookup: guardedLookup(guard, options.lookup ?? systemLookup),
    // Node gives the first address 250 ms before it moves on, which is too short for half the world.
    autoSelectFamilyAttemptTimeout: 1_000,
    timeout: 10_000,
    ...(options.ca === undefined ? {} : { ca: options.ca })
  })
  return (target, callback) => {
    // Node does not call `lookup` for a literal address.
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
