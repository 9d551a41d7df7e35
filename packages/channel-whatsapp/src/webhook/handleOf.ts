/**
 * A customer's handle: the phone number, which Meta writes without its plus, or the business-scoped user id if the
 * customer hides the number (docs/reference/whatsapp.md#handles). Null if neither is present.
 */
export const handleOf = (number: string | undefined, userId: string | undefined): string | null => {
  if (number !== undefined && number !== "") return /^\d+$/.test(number) ? `+${number}` : number
  return userId === undefined || userId === "" ? null : userId
}
