import { PCGRandom } from "effect/Utils"

/** Seeded choices. The same calls after the same seed give the same results. */
export interface Chance {
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number
  /** True with this probability, 0 to 1. */
  readonly happens: (probability: number) => boolean
  readonly pick: <A>(list: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>) => A
  /** Chance of its own for a part, so that a part that is left out changes no choice of the others. */
  readonly fork: (name: string) => Chance
}

export const makeChance = (seed: number): Chance => {
  const random = new PCGRandom(seed)
  return {
    between: (from, to) => from + Math.floor(random.number() * (to - from + 1)),
    happens: (probability) => random.number() < probability,
    pick: (list) => list[Math.floor(random.number() * list.length)] as never,
    fork: (name) => makeChance(seedOf(`${seed}/${name}`))
  }
}

/** FNV-1a, 32 bits: spreads texts over seeds. */
const seedOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
