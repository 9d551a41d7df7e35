import { Either } from "effect"
import { givenHandles } from "../../contacts/contactHandles.js"
import { addressOf } from "../../contacts/Handle.js"
import type { Draft } from "../../input/Draft.js"
import type { ImportedContact } from "./ImportInput.js"

/** A contact of an import, and where it stands in it. */
export interface ImportedRow {
  readonly index: number
  readonly draft: Draft<ImportedContact>
  /** What it claims, as text. */
  readonly addresses: ReadonlyArray<string>
}

/** The contact at a place of an import. */
export const importedRow = (draft: Draft<ImportedContact>, index: number): ImportedRow => ({
  index,
  draft,
  addresses: givenHandles(draft.value).flatMap(({ channel, handle }) => {
    if (Either.isLeft(handle)) return []
    const address = addressOf(channel, handle.right)
    return [`${address.space} ${address.handle}`]
  })
})

/**
 * Puts those contacts of an import together that may be one, because they share handles: the first of them is to be first.
 * Contacts of different groups have nothing to do with each other.
 */
export const groupsOfSharedHandles = (rows: ReadonlyArray<ImportedRow>): ReadonlyArray<ReadonlyArray<ImportedRow>> => {
  // By address, a row that has it; a row leads to an earlier one of its group, the first to itself.
  const holder = new Map<string, number>()
  const earlier: Array<number> = []
  const first = (index: number): number => {
    const before = earlier[index] ?? index
    return before === index ? index : first(before)
  }
  rows.forEach((row, index) => {
    earlier[index] = index
    for (const address of row.addresses) {
      const [low = index, high = index] = [first(holder.get(address) ?? index), first(index)].sort((a, b) => a - b)
      earlier[high] = low
      holder.set(address, index)
    }
  })
  const groups = new Map<number, Array<ImportedRow>>()
  rows.forEach((row, index) => {
    const group = groups.get(first(index))
    if (group === undefined) groups.set(index, [row])
    else group.push(row)
  })
  return [...groups.values()]
}
