import type { Chance } from "./Chance.js"
import { keyword } from "./dialogues.js"
import { dialogue } from "./plannedDialogues.js"
import { filesUrl, type ReceiverMood } from "./Receivers.js"
import type { Action, Disturbance, PlannedFile, Step } from "./Step.js"
import { isSubscription, type PlannedSubscription } from "./Subscribers.js"
import { goodMood, type VendorMood } from "./Vendor.js"

/** What the steps of an episode choose from. */
interface Setting {
  readonly applications: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly connectionIds: ReadonlyArray<string>
  }>
  readonly connections: ReadonlyArray<{
    readonly id: string
    readonly workspaceId: string
    readonly channel: string
    readonly dedupes: boolean
    readonly unknownSends: "hold" | "resend"
  }>
  /** The URLs of receivers of webhooks, and of subscriptions. */
  readonly receivers: ReadonlyArray<string>
  /** Whether a process may stall, and another one take its work over. */
  readonly mayStall: boolean
  /** All endpoints and applications of the workspaces, also of applications that nothing else uses. */
  readonly endpoints: ReadonlyArray<{
    readonly id: string
    readonly applicationId: string
    readonly events: ReadonlyArray<string>
  }>
  readonly neighbours: ReadonlyArray<{ readonly id: string; readonly name: string; readonly workspaceId: string }>
  /** The time in ms in which the rest of the history happens. */
  readonly durationMs: number
}

/** A customer whom nothing else in a history writes to. */
const customer = "+491700000005"
const otherCustomer = "+491700000006"
/** Longer than a lease. */
const longStallMs = 20_000
const suspensionMs = 30_000
/** Between the other steps and an episode apart from them, in ms: their requests end meanwhile. */
const pauseMs = 3_000

/** Steps with times in ms after the start of the episode. */
type Episode = (chance: Chance, setting: Setting) => ReadonlyArray<Step>

const act = (at: number, action: Action): Step => ({ at, action })
const disturb = (at: number, disturbance: Disturbance): Step => ({ at, disturbance })
const setVendor = (at: number, mood: Partial<VendorMood>): Step =>
  disturb(at, { type: "vendor", mood: { ...goodMood, ...mood } })
const setReceivers = (at: number, { receivers }: Setting, mood: ReceiverMood): ReadonlyArray<Step> =>
  receivers.map((url) => disturb(at, { type: "receiver", url, mood }))

/** Sends to the customer, from `from` on. Each has a key of its own. */
const sends = (
  application: string,
  channel: string,
  count: number,
  { files, from, every }: { readonly from: number; readonly every: number; readonly files?: ReadonlyArray<PlannedFile> }
): ReadonlyArray<Step> =>
  Array.from({ length: count }, (_, n) =>
    act(from + n * every, {
      type: "send",
      application,
      channel,
      to: customer,
      key: `episode ${from + n}`,
      text: `part ${n}`,
      reference: null,
      ...(files === undefined ? {} : { files })
    })
  )

/** A connection of an application; null if it has none. */
const pickConnection = (chance: Chance, { applications, connections }: Setting) => {
  const application = chance.pick(applications)
  const own = connections.filter(({ id }) => application.connectionIds.includes(id))
  return own.length === 0 ? null : { application, connection: chance.pick(own) }
}

/** A connection that never sends a message of unknown outcome again. */
const pickHolding = (chance: Chance, setting: Setting) =>
  pickConnection(chance, {
    ...setting,
    connections: setting.connections.filter(({ dedupes, unknownSends }) => !dedupes && unknownSends === "hold")
  })

/**
 * A customer says STOP, as the first word or later, and is written to nevertheless. One message waits for its next try
 * meanwhile.
 */
const optOut: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const write = (at: number, text: string) =>
    act(at, { type: "write", connectionId: connection.id, from: customer, text })
  const waiting = [
    write(0, "hello"),
    setVendor(0, { fails: 1 }),
    ...sends(application.name, connection.channel, 1, { from: 500, every: 0 }),
    setVendor(40_000, {}),
    until(70_000, application.name)
  ]
  return [
    ...(chance.happens(0.5) ? waiting : []),
    write(2_000, "STOP"),
    ...sends(application.name, connection.channel, 3, { from: 4_000, every: 2_000 })
  ]
}

/** A key is used until it is revoked, and afterwards. */
const revokedKey: Episode = (chance, { applications }) => {
  const { id, name } = chance.pick(applications)
  return [
    act(0, { type: "issue-key", application: { id, name } }),
    act(500, { type: "use-key", nth: 0 }),
    act(1_500, { type: "revoke-key", nth: 0 }),
    ...[2_500, 4_000, 8_000].map((at) => act(at, { type: "use-key", nth: 0 }))
  ]
}

/** More sends than an application may make in a minute, after a few replays of the first one. */
const manySends: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const all = sends(application.name, connection.channel, 23, { from: 3_000, every: 100 })
  const replays = all.slice(0, 1).flatMap((first) => [0, 700, 1_400, 2_100].map((at) => ({ ...first, at })))
  return [...replays, ...all.slice(1)]
}

/** More requests than an application may make in a minute: until the limit at once, and late in the same minute. */
const manyRequests: Episode = (chance, { applications }) => {
  const { name } = chance.pick(applications)
  const read = (at: number) => act(at, { type: "read", application: name, what: "conversations", nth: 0 })
  return [...Array.from({ length: 64 }, (_, n) => read(n * 50)), ...[50_000, 52_000, 54_000].map(read)]
}

/** Ends an episode, so that the history does not end before. */
const until = (at: number, application: string): Step =>
  act(at, { type: "read", application, what: "conversations", nth: 0 })

/** A vendor that does not dedupe takes messages and never answers, until a send has timed out. */
const silence: Episode = (chance, setting) => {
  const picked = pickHolding(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    setVendor(0, { neverAnswers: 1 }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 500 }),
    setVendor(3_000, {}),
    until(65_000, application.name)
  ]
}

/** A process loses its lease between a claim and the call of a vendor that does not dedupe. */
const stallBeforeAttempt: Episode = (chance, setting) => {
  const picked = pickHolding(chance, setting)
  if (picked === null || !setting.mayStall) return []
  const { application, connection } = picked
  return [
    disturb(0, { type: "stall-at", call: "beginAttempt", ms: longStallMs }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 500 }),
    until(longStallMs + 5_000, application.name)
  ]
}

/**
 * A contact is erased while webhooks about it wait for their next attempt, and the customer is written to and writes
 * afterwards.
 */
const erasure: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const files = chance.happens(0.7) ? [{ url: `${filesUrl}/of-the-erased` }] : undefined
  return [
    ...setReceivers(0, setting, "fails"),
    ...sends(application.name, connection.channel, 2, {
      from: 200,
      every: 500,
      ...(files === undefined ? {} : { files })
    }),
    act(4_000, { type: "erase", nth: -1 }),
    ...setReceivers(6_000, setting, "works"),
    ...sends(application.name, connection.channel, 1, { from: 8_000, every: 0 }),
    ...(chance.happens(0.5) ? [writes(connection.id, 1, { from: 7_000, every: 0 })].flat() : []),
    until(20_000, application.name)
  ]
}

/** Messages of the customer. */
const writes = (
  connectionId: string,
  count: number,
  { from, every }: { readonly from: number; readonly every: number }
): ReadonlyArray<Step> =>
  Array.from({ length: count }, (_, n) =>
    act(from + n * every, { type: "write", connectionId, from: customer, text: `word ${n}` })
  )

/** Single calls to the storage fail while a customer writes: jobs fail, and are tried again. */
const failedJobs: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const failures = Array.from({ length: 30 }, () =>
    disturb(chance.between(0, 10_000), {
      type: "fail-calls",
      process: chance.between(0, 1),
      call: chance.pick(["read", "read", "commit"]),
      count: chance.between(1, 3)
    })
  )
  return [
    ...setReceivers(0, setting, "works"),
    ...writes(connection.id, 20, { from: 0, every: 500 }),
    ...failures,
    until(60_000, application.name)
  ]
}

/** Two contacts are merged, and the one that is left is erased. */
const mergedErasure: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const [first, second] = sends(application.name, connection.channel, 2, { from: 0, every: 1_500 })
  if (first === undefined || second === undefined || !("action" in second)) return []
  return [
    first,
    { ...second, action: { ...second.action, to: otherCustomer } as Action },
    act(4_000, { type: "merge", into: -2, nth: -1 }),
    until(5_000, application.name),
    act(6_000, { type: "erase", nth: -2 }),
    until(10_000, application.name)
  ]
}

/** An application is suspended for a while, and its caller goes on. */
const suspension: Episode = (chance, { applications }) => {
  const { id, name } = chance.pick(applications)
  return [
    act(0, { type: "set-application", applicationId: id, status: "suspended" }),
    ...[1_000, 2_500, 4_000, 8_000].map((at) => until(at, name)),
    act(5_000, { type: "set-application", applicationId: id, status: "active" })
  ]
}

/** A customer writes on a connection of one application, and another one of the workspace reads by guessed ids. */
const foreignReads: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const { neighbours } = setting
  const own = neighbours.find(({ id }) => id === application.id)
  const others = neighbours.filter((one) => one.id !== application.id && one.workspaceId === own?.workspaceId)
  return [
    ...writes(connection.id, 2, { from: 0, every: 500 }),
    ...others.map((other) => act(3_000, { type: "read-foreign", application: other.name, of: application.name })),
    until(4_000, application.name)
  ]
}

/** A connection is paused while messages wait for their next try. */
const pause: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    setVendor(0, { fails: 1 }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 300 }),
    act(1_200, { type: "set-connection", connectionId: connection.id, status: "paused" }),
    setVendor(1_500, {}),
    until(40_000, application.name),
    act(41_000, { type: "set-connection", connectionId: connection.id, status: "active" })
  ]
}

/** A vendor answers later than a lease lasts. */
const lateAnswers: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    setVendor(0, { answersLate: 1 }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 500 }),
    setVendor(2_000, {}),
    until(30_000, application.name)
  ]
}

/** The database is away when a vendor that does not dedupe answers. */
const unrecordedAnswers: Episode = (chance, setting) => {
  const picked = pickHolding(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    setVendor(0, { answersLate: 1 }),
    ...sends(application.name, connection.channel, 2, { from: 200, every: 100 }),
    setVendor(2_000, {}),
    disturb(20_000, { type: "storage-away", ms: 2_000 }),
    until(50_000, application.name)
  ]
}

/** A process loses its lease while a vendor that does not dedupe has the message, and records its answer afterwards. */
const stallInCall: Episode = (chance, setting) => {
  const picked = pickHolding(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    disturb(0, { type: "stall-at", call: "provider", ms: longStallMs }),
    ...sends(application.name, connection.channel, 1, { from: 200, every: 0 }),
    until(longStallMs + 20_000, application.name)
  ]
}

/** A process loses its lease while its webhook succeeds, and the attempt of the next process fails. */
const stallInWebhook: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    ...setReceivers(0, setting, "works"),
    disturb(0, { type: "stall-at", call: "webhook", ms: longStallMs }),
    ...writes(connection.id, 1, { from: 200, every: 0 }),
    ...setReceivers(2_000, setting, "fails"),
    ...setReceivers(longStallMs + 10_000, setting, "works"),
    until(longStallMs + 20_000, application.name)
  ]
}

/** All processes start again, and the first one to do so stalls while it measures the database's clock. */
const stallAtStart: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    ...[0, 1, 2].map((process) => disturb(0, { type: "crash", process, port: null, when: "before" } as const)),
    disturb(100, { type: "stall-at", call: "check", ms: longStallMs }),
    ...writes(connection.id, 40, { from: longStallMs + 100, every: 300 }),
    until(longStallMs + 15_000, application.name)
  ]
}

/**
 * A machine wakes up from a suspension longer than a lease, so that its process is late by as much until it measures
 * the database's clock. Sends that it accepts meanwhile last longer than the poll of another process.
 */
const wakingMachine: Episode = (chance, setting) => {
  const picked = pickConnection(chance, {
    ...setting,
    connections: setting.connections.filter(({ dedupes }) => dedupes)
  })
  if (picked === null) return []
  const { application, connection } = picked
  return [
    disturb(0, { type: "suspend", process: chance.between(0, 1), ms: suspensionMs }),
    setVendor(0, { answersLate: 1 }),
    ...sends(application.name, connection.channel, 8, { from: suspensionMs + 600, every: 400 }),
    setVendor(suspensionMs + 5_000, {}),
    until(suspensionMs + 30_000, application.name)
  ]
}

/** The database is away while webhooks wait for their next attempt. */
const storageReturns: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    ...setReceivers(0, setting, "fails"),
    ...writes(connection.id, 2, { from: 200, every: 100 }),
    disturb(3_000, { type: "storage-away", ms: 3_000 }),
    ...setReceivers(7_000, setting, "works"),
    until(8_000, application.name)
  ]
}

/** The database is away when receivers answer. */
const unrecordedSuccess: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    ...setReceivers(0, setting, "slow"),
    ...writes(connection.id, 2, { from: 200, every: 100 }),
    ...setReceivers(3_000, setting, "works"),
    disturb(8_500, { type: "storage-away", ms: 2_500 }),
    until(40_000, application.name)
  ]
}

/** Functions of subscriptions fail while their processes shut down: other processes are to handle the events. */
const stopInFunction: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null || !setting.receivers.some(isSubscription)) return []
  const { application, connection } = picked
  return [
    ...setReceivers(0, setting, "breaks"),
    ...writes(connection.id, 30, { from: 200, every: 25 }),
    ...[0, 1].map((process) => disturb(700, { type: "stop", process })),
    ...setReceivers(2_000, setting, "works"),
    until(30_000, application.name)
  ]
}

/** Events happen long after the last process ended to handle a subscription. */
const unhandledEvents: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const subscription: PlannedSubscription = {
    application: { id: application.id, name: application.name },
    workspaceId: null,
    name: "brief",
    events: [],
    fromBegin: false,
    concurrency: 16,
    ordered: false
  }
  return [
    act(0, { type: "subscribe", host: 0, subscription }),
    ...writes(connection.id, 1, { from: 3_000, every: 0 }),
    act(6_000, { type: "unsubscribe", host: 0, subscription }),
    ...writes(connection.id, 2, { from: 70_000, every: 500 }),
    until(75_000, application.name)
  ]
}

/** Receivers refuse an event for ever. */
const refusal: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  return [...setReceivers(0, setting, "refuses"), ...writes(picked.connection.id, 3, { from: 200, every: 20 })]
}

/**
 * As many failures in a row as disable an endpoint, or one less. The endpoint receives no other events of a customer's
 * messages than one for each.
 */
const failuresInARow: Episode = (chance, setting) => {
  const listed = setting.endpoints.filter(({ events }) => events.length > 0).map(({ applicationId }) => applicationId)
  const applications = setting.applications.filter(({ id }) => listed.includes(id))
  const picked = applications.length === 0 ? null : pickConnection(chance, { ...setting, applications })
  if (picked === null) return []
  // Successes before may be counted a lease later.
  return [
    ...setReceivers(20_000, setting, "fails"),
    ...writes(picked.connection.id, chance.pick([24, 25]), { from: 20_200, every: 50 }),
    until(70_000, picked.application.name)
  ]
}

/** More failures than an endpoint may have in a row, with a success between them. */
const failuresAroundASuccess: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  return [
    ...setReceivers(0, setting, "fails"),
    ...writes(connection.id, 13, { from: 200, every: 50 }),
    ...setReceivers(18_000, setting, "works"),
    ...writes(connection.id, 1, { from: 20_000, every: 0 }),
    ...setReceivers(38_000, setting, "fails"),
    ...writes(connection.id, 13, { from: 40_000, every: 50 }),
    ...setReceivers(43_000, setting, "works"),
    until(44_000, application.name)
  ]
}

/** An endpoint is disabled while deliveries wait, and enabled after they were due. */
const disabling: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const own = setting.endpoints.filter(({ applicationId }) => applicationId === application.id)
  return [
    ...setReceivers(0, setting, "fails"),
    ...writes(connection.id, 2, { from: 200, every: 100 }),
    ...own.map(({ id }) => act(3_000, { type: "set-endpoint", endpointId: id, status: "disabled" })),
    ...setReceivers(5_000, setting, "works"),
    until(75_000, application.name),
    ...own.map(({ id }) => act(80_000, { type: "set-endpoint", endpointId: id, status: "active" }))
  ]
}

/** Events that were delivered are recovered. */
const recovery: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const own = setting.endpoints.filter(({ applicationId }) => applicationId === application.id)
  return [
    ...writes(connection.id, 2, { from: 200, every: 100 }),
    ...own.map(({ id }) => act(20_000, { type: "recover-endpoint", endpointId: id })),
    until(22_000, application.name)
  ]
}

/** Waits of many runs end together. */
const manyWaits: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const { workspaceId } = connection
  return [
    act(0, { type: "publish-workflow", workspaceId, wait: "10s" }),
    ...Array.from({ length: 5 }, (_, n) =>
      sends(application.name, connection.channel, 1, { from: n * 10, every: 0 }).map((step) =>
        "action" in step ? { ...step, action: { ...step.action, to: `+49170000001${n}` } as Action } : step
      )
    ).flat(),
    ...Array.from({ length: 5 }, (_, n) =>
      act(3_000 + n, { type: "order", application: application.name, order: 20 + n, nth: -1 - n })
    ),
    until(20_000, application.name)
  ]
}

/** A bot's script is answered to its end, while a process may lose its lease. */
const booking: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const { workspaceId } = connection
  const ending = chance.pick(["finish", "hand_off"] as const)
  const call = chance.pick(["commit", "webhook"] as const)
  return [
    act(0, { type: "publish-bot", bot: { workspaceId, newConversationOn: [], timeOut: "5m", ending } }),
    ...dialogue(chance, { connectionId: connection.id, from: customer, begins: 2_000, name: "episode" }),
    ...(setting.mayStall && chance.happens(0.5)
      ? [disturb(2_000 + chance.between(0, 5_000), { type: "stall-at", call, ms: longStallMs })]
      : []),
    until(40_000, application.name)
  ]
}

/** An agent replies while a bot asks, and the customer writes on. */
const takeover: Episode = (chance, setting) => {
  const picked = pickConnection(chance, setting)
  if (picked === null) return []
  const { application, connection } = picked
  const { workspaceId } = connection
  const type = chance.pick(["reply", "resolve"] as const)
  const write = (at: number, text: string) =>
    act(at, { type: "write", connectionId: connection.id, from: customer, text })
  return [
    act(0, { type: "publish-bot", bot: { workspaceId, newConversationOn: [], timeOut: "1m", ending: "finish" } }),
    write(2_000, keyword),
    act(3_000 + chance.pick([0, 10, 1_000]), { type, workspaceId, nth: 0 }),
    write(3_000, "episode item"),
    write(6_000, "3"),
    until(70_000, application.name)
  ]
}

/** Episodes amid the other steps and faults of a history. */
const amid: ReadonlyArray<Episode> = [
  optOut,
  revokedKey,
  suspension,
  foreignReads,
  silence,
  stallBeforeAttempt,
  erasure,
  mergedErasure,
  booking
]

/** Episodes after the other steps, without faults but their own, so that the audit excuses little. */
const apart: ReadonlyArray<Episode> = [
  revokedKey,
  manySends,
  manyRequests,
  pause,
  lateAnswers,
  unrecordedAnswers,
  unrecordedAnswers,
  stallInCall,
  stallInWebhook,
  stallAtStart,
  wakingMachine,
  stopInFunction,
  unhandledEvents,
  storageReturns,
  unrecordedSuccess,
  refusal,
  failuresInARow,
  failuresAroundASuccess,
  disabling,
  recovery,
  manyWaits,
  failedJobs,
  failedJobs,
  erasure,
  mergedErasure,
  booking,
  booking,
  takeover
]
const probability = 0.7

/** The episode of a history, with times in ms after the start of the history. */
export interface PlannedEpisode {
  readonly steps: ReadonlyArray<Step>
  /** Whether no other fault keeps processes from their work, and nothing is administered beside it. */
  readonly isApart: boolean
}

/**
 * A few steps in a row that put one promise to the test. By chance alone, a short history seldom has them together and
 * in order. They may last longer than the rest of the history. Null in a third of the histories.
 */
export const episodeOf = (chance: Chance, setting: Setting): PlannedEpisode | null => {
  if (!chance.happens(probability)) return null
  const candidates = [
    ...amid.map((episode) => ({ episode, isApart: false })),
    ...apart.map((episode) => ({ episode, isApart: true }))
  ]
  const possible = candidates.filter(({ episode }) => episode(chance.fork("possible"), setting).length > 0)
  const { episode, isApart } = chance.pick(possible)
  const from = isApart ? setting.durationMs + pauseMs : chance.between(0, Math.floor(setting.durationMs / 2))
  const before = isApart ? [setVendor(0, {}), ...setReceivers(0, setting, "works")] : []
  const steps = [...before, ...episode(chance, setting)].map((step) => ({ ...step, at: from + step.at }))
  return { steps, isApart }
}
