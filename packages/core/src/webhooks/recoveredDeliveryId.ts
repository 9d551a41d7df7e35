import { createHash } from "node:crypto"

/**
 * The id of the delivery that a recover makes of an event for an endpoint: a UUIDv7 of the event's time whose rest follows
 * from the two, so that recovers which meet, or one that is done again after a crash, make one delivery.
 */
export const recoveredDeliveryId = (eventId: string, endpointId: string): string => {
  const hash = createHash("sha256").update(`${endpointId} ${eventId}`).digest("hex")
  const time = eventId.slice(0, 13)
  const variant = "89ab"[Number.parseInt(hash.slice(0, 1), 16) & 3]
  return `${time}-7${hash.slice(1, 4)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
