import type { Round } from "./Round.js"

/** One side of a comparison: a round of it, whenever it is its turn. */
export type Side = () => Promise<Round>

/** What both sides came to, round by round. */
export interface Compared {
  readonly ours: ReadonlyArray<Round>
  readonly floor: ReadonlyArray<Round>
}

/** Rounds of both sides in turn, A B A B, so that whatever else the machine does meets both. */
export const compare = async (rounds: number, ours: Side, floor: Side | null): Promise<Compared> => {
  const results: { readonly ours: Array<Round>; readonly floor: Array<Round> } = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ours())
    if (floor !== null) results.floor.push(await floor())
  }
  return results
}

/** The middle of the values; of an even number of them, the upper one of the two. */
export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN
