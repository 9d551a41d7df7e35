import { Either } from "effect"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { givenHandles } from "./contactHandles.js"
import { addressOf } from "./Handle.js"
import type { ImportedContact } from "./ImportInput.js"

/** A contact of an import with its index. */
export interface ImportedRow {
  readonly index: number
  readonly decoded: PartialDecode<ImportedContact>
  /** The addresses that it claims, as text. */
  readonly addresses: ReadonlyArray<string>
}

/** The contact at an index of an import. */
export const importedRow = (decoded: PartialDecode<ImportedContact>, index: number): ImportedRow => ({
  index,
  decoded,
  addresses: givenHandles(decoded.value).flatMap(({ channel, handle }) => {
    if (Either.isLeft(handle)) return []
    const address = addressOf(channel, handle.right)
    return [`${address.space} ${address.handle}`]
  })
})

/**
 * Groups the contacts of an import that are connected by shared handles, in their order. Contacts in different groups
 * share no handle, so the groups can be imported concurrently.
 */
export const groupsOfSharedHandles = (rows: ReadonlyArray<ImportedRow>): ReadonlyArray<ReadonlyArray<ImportedRow>> => {
  // Union-find: `holder` maps an address to a row that has it; `earlier` maps a row to an earlier row of its group, and
  // the first row to itself.
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
