import { derivedId } from "../derivedId.js"

/**
 * The id of the delivery that a recover makes of an event for an endpoint: recovers which meet, or one that is done again
 * after a crash, make one delivery.
 */
export const recoveredDeliveryId = (eventId: string, endpointId: string): string => derivedId(eventId, endpointId)
