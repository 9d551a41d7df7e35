/**
 * A customer as our handle: their number, which Meta spells without its plus, or their business-scoped user id, which alone is
 * there where they hide the number (channels.md). Null: nobody is named.
 */
export const handleOf = (number: string | undefined, userId: string | undefined): string | null => {
  if (number !== undefined && number !== "") return /^\d+$/.test(number) ? `+${number}` : number
  return userId === undefined || userId === "" ? null : userId
}
