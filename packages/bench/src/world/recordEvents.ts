import { randomUUID } from "node:crypto"
import {
  Access,
  BusinessEventInput,
  BusinessEvents,
  changes,
  fingerprint,
  Ids,
  partialDecode,
  row,
  Storage
} from "@parley/core"
import { Effect } from "effect"
import { callers, type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { newContact, orderShipped } from "./automations.js"
import { apiKey, workspaceId } from "./seed.js"

const portion = 500
const decodeEvent = partialDecode(BusinessEventInput)
let contacts = 0

/** The ids of a number of new contacts without activity. */
export const createContacts = (count: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const known: Array<string> = []
    while (known.length < count) {
      const more = Array.from({ length: Math.min(portion, count - known.length) }, () => ids.next(Date.now()))
      yield* storage.commit(
        changes(workspaceId, { inserts: more.map((id) => row("contacts", newContact(id, contacts++))) })
      )
      known.push(...more)
    }
    return known
  })

/** Records an event about each of these contacts, as `POST /events` does; done once all are accepted. */
export const recordEvents = (contactIds: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const caller = yield* (yield* Access).authenticate(apiKey, "write")
    const events = yield* BusinessEvents
    const [cpu, start] = [process.cpuUsage(), performance.now()]
    yield* Effect.forEach(
      contactIds,
      (contactId, n) => {
        const key = randomUUID()
        const body = orderShipped(contactId, key, n)
        return events.record(caller, {
          decoded: decodeEvent(body),
          idempotency: { key, fingerprint: fingerprint("POST", "/api/v1/events", body) }
        })
      },
      { concurrency: callers, discard: true }
    )
    const elapsedMs = performance.now() - start
    const { system, user } = process.cpuUsage(cpu)
    const accepted: RoundResult = rateOf(contactIds.length, elapsedMs, user + system)
    return accepted
  })
