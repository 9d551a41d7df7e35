import type { Chance } from "../run/Chance.js"
import type { ReceiverMood } from "../run/Receivers.js"
import { goodMood, type VendorMood } from "../run/Vendor.js"
import { moodyReceivers } from "./tenants.js"

/** What happens to hosts, the database and its network, one fault after another. `ms`: how long it lasts. */
export type ProcessFault =
  | { readonly kind: "kill"; readonly host: number; readonly ms: number }
  | { readonly kind: "pause"; readonly host: number; readonly ms: number }
  | { readonly kind: "stop"; readonly host: number; readonly ms: number }
  | { readonly kind: "clock"; readonly host: number; readonly stepMs: number; readonly ms: number }
  | { readonly kind: "restart"; readonly mode: "fast" | "immediate" }
  | { readonly kind: "stall"; readonly ms: number }
  | { readonly kind: "cut" }
  | { readonly kind: "promote" }

/** How vendors and receivers behave meanwhile. */
export type Mood =
  | { readonly kind: "vendor"; readonly mood: VendorMood; readonly ms: number }
  | {
      readonly kind: "receiver"
      readonly name: string
      readonly mood: ReceiverMood
      readonly probability: number
      readonly ms: number
    }

export type FaultKind = ProcessFault["kind"] | Mood["kind"]

const processKinds = ["kill", "pause", "stop", "restart", "stall", "cut", "clock", "promote"] as const
const moodKinds = ["vendor", "receiver"] as const
export const faultKinds: ReadonlyArray<FaultKind> = [...processKinds, ...moodKinds]

/** Longer than the lease of a job, 15 s. */
const pauseMs = 30_000
/** Faults in a row, after which there is a rest: the auditor compares more where no fault is near. */
const faultsInARow = 8
export const restMs = 90_000

/** A fault, and the time until the next one begins, in ms after its end. */
export interface Step<A> {
  readonly fault: A
  readonly thenMs: number
}

/** All kinds in a new random order, for ever. */
function* rounds<A>(chance: Chance, kinds: ReadonlyArray<A>): Generator<A> {
  while (kinds.length > 0) {
    const left = [...kinds]
    while (left.length > 0) yield* left.splice(chance.between(0, left.length - 1), 1)
  }
}

/** Faults of these kinds, for ever: each kind once, in random order, then each one again. */
export function* planFaults(
  chance: Chance,
  hosts: number,
  kinds: ReadonlyArray<FaultKind>
): Generator<Step<ProcessFault>> {
  let count = 0
  for (const kind of rounds(
    chance,
    processKinds.filter((kind) => kinds.includes(kind))
  )) {
    const rests = ++count % faultsInARow === 0
    yield { fault: faultOf(chance, hosts, kind), thenMs: rests ? restMs : chance.between(1_000, 12_000) }
  }
}

const faultOf = (chance: Chance, hosts: number, kind: ProcessFault["kind"]): ProcessFault => {
  const host = chance.between(0, hosts - 1)
  switch (kind) {
    case "kill":
      return { kind, host, ms: chance.pick([0, 1_000, 8_000]) }
    case "pause":
      return { kind, host, ms: pauseMs }
    case "stop":
      return { kind, host, ms: chance.pick([0, 2_000]) }
    case "clock":
      return {
        kind,
        host,
        stepMs: chance.pick([-3_600_000, -30_000, -500, 500, 30_000, 3_600_000]),
        ms: chance.pick([5_000, 20_000])
      }
    case "restart":
      return { kind, mode: chance.pick(["fast", "immediate"]) }
    case "stall":
      return { kind, ms: chance.pick([1_000, 6_000, 20_000]) }
    case "cut":
    case "promote":
      return { kind }
  }
}

const receiverMoods: ReadonlyArray<ReceiverMood> = ["fails", "hangs", "breaks", "loses", "slow"]

/** Moods of these kinds, for ever. */
export function* planMoods(chance: Chance, kinds: ReadonlyArray<FaultKind>): Generator<Step<Mood>> {
  for (const kind of rounds(
    chance,
    moodKinds.filter((kind) => kinds.includes(kind))
  )) {
    yield { fault: moodOf(chance, kind), thenMs: chance.between(1_000, 10_000) }
  }
}

const moodOf = (chance: Chance, kind: Mood["kind"]): Mood => {
  const ms = chance.between(5_000, 20_000)
  if (kind === "vendor") {
    const probability = () => (chance.happens(0.5) ? chance.between(5, 35) / 100 : 0)
    const mood = {
      ...goodMood,
      rejects: probability() / 4,
      throttles: probability(),
      fails: probability(),
      losesAnswer: probability() / 2,
      losesRequest: probability() / 2,
      neverAnswers: probability() / 4,
      repeats: probability(),
      contradicts: probability() / 2
    }
    return { kind, mood, ms }
  }
  // Not always, so that 25 failures in a row, which disable an endpoint, are rare.
  return { kind, name: chance.pick(moodyReceivers), mood: chance.pick(receiverMoods), probability: 0.6, ms }
}
