import type { RoundResult } from "./RoundResult.js"

/** One side of a comparison: a round of it, whenever it is its turn. */
export type Side = () => Promise<RoundResult>

/** What both sides came to, round by round. */
export interface Compared {
  readonly ours: ReadonlyArray<RoundResult>
  readonly floor: ReadonlyArray<RoundResult>
}

/** Rounds of both sides in turn, A B A B, so that whatever else the machine does meets both. */
export const compare = async (rounds: number, ours: Side, floor: Side | null): Promise<Compared> => {
  const results: { readonly ours: Array<RoundResult>; readonly floor: Array<RoundResult> } = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ours())
    if (floor !== null) results.floor.push(await floor())
  }
  return results
}

/** The middle of the values; of an even number of them, the upper one of the two. */
export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN
