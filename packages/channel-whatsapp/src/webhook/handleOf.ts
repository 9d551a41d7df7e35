import { idOf } from "@parley/provider-kit"

/**
 * A customer's handle: the phone number, which Meta writes without its plus, or the business-scoped user id if the
 * customer hides the number (docs/reference/whatsapp.md#handles). Null if neither is present.
 */
export const handleOf = (number: unknown, userId: unknown): string | null => {
  const written = idOf(number)
  return written === null ? idOf(userId) : /^\d+$/.test(written) ? `+${written}` : written
}
