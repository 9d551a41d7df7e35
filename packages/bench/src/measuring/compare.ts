import type { RoundResult } from "./RoundResult.js"

/** One side of a comparison: runs one round per call. */
export type Side = () => Promise<RoundResult>

/** The results of both sides by round. */
export interface Compared {
  readonly ours: ReadonlyArray<RoundResult>
  readonly floor: ReadonlyArray<RoundResult>
}

/** Runs both sides alternately (A B A B), so that other load of the machine affects both. */
export const compare = async (rounds: number, ours: Side, floor: Side | null): Promise<Compared> => {
  const results: { readonly ours: Array<RoundResult>; readonly floor: Array<RoundResult> } = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ours())
    if (floor !== null) results.floor.push(await floor())
  }
  return results
}

/** The median; of an even number of values, the upper of the middle two. */
export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN
