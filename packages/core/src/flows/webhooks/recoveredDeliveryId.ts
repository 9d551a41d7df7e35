import { derivedId } from "../../kernel/derivedId.js"

/**
 * The id of a recovered delivery, derived from event and endpoint: concurrent or repeated recovers make one delivery.
 */
export const recoveredDeliveryId = (eventId: string, endpointId: string): string => derivedId(eventId, endpointId)
