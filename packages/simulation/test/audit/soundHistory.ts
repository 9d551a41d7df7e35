import type { Journal } from "../../src/audit/Journal.js"
import { type HandWritten, isoTime, journalOf, newId, rival, shop } from "./journalOf.js"

/** A customer's message, repeated by the vendor, that both applications receive. */
const inbound = (history: HandWritten, text: string) => {
  const event = history.customerWrites(text, { status: 408 })
  history.customerWrites(text, { event })
  const message = history.inbound(newId(), text)
  const options = { eventId: newId(), createdAt: history.now }
  history.webhook("message.received", { message }, options)
  history.webhook("message.received", { message }, { ...options, to: shop.deskEndpoint })
}

/**
 * A send whose first response is lost, that is throttled, delivered and read; its webhooks come late and out of order.
 */
const outbound = (history: HandWritten, index: number) => {
  const caller = index % 3 === 0 ? "rival" : "shop"
  const to = caller === "rival" ? rival.endpoint : shop.endpoint
  const key = newId()
  if (index % 4 === 0) history.sendRequest({ caller, key })
  const id = history.send({ caller, key, replayed: index % 4 === 0 })
  history.handOver(id, "throttled")
  history.handOver(id, "accepted", "two", `wamid.${index}`)
  history.read(id, "queued", {}, caller)
  const connectionId = caller === "rival" ? rival.connectionId : shop.connectionId
  history.receipt(`wamid.${index}`, "read", 200, connectionId)
  history.read(id, "read", {}, caller)
  for (const status of ["sent", "queued", "read", "delivered"]) history.progress(id, status, { to })
  return { id, caller }
}

/**
 * A history of a vendor with faults, a crash and their end, that keeps all promises. About 22 entries for each round.
 */
export const soundHistory = (rounds: number): Journal =>
  journalOf((history) => {
    const sent = Array.from({ length: rounds }, (_, index) => {
      if (index % 5 === 0) inbound(history, `Question ${index}`)
      if (index % 20 === 0) history.wait(60_000)
      return outbound(history, index)
    })

    const crashed = history.send()
    history.beginHandOver(crashed)
    history.crash("one")
    history.wait(20_000)
    const retried = history.send()
    history.handOver(retried, "transient")
    history.handOver(retried, "accepted")
    const eventId = newId()
    const createdAt = history.now
    history.progress(crashed, "queued")
    history.progress(retried, "queued", { eventId, createdAt, status: 500 })
    history.wait(60_000)
    history.progress(retried, "queued", { eventId, createdAt, number: 2 })
    history.progress(retried, "sent")

    history.quiet()
    history.wait(120_000)
    for (const { caller, id } of sent) history.read(id, "read", {}, caller)
    history.read(retried, "sent")
    history.read(crashed, "queued")
    history.call("administrator", "GET", `/admin/v1/messages/${crashed}/sending`, null, 200, {
      data: { state: "outcome_unknown" }
    })
    const job = { id: crashed, lane: "sends", state: "waiting", next_run_at: isoTime(history.now + 3_600_000) }
    history.call("administrator", "GET", "/admin/v1/jobs", null, 200, { data: [job] })
    history.end()
  })
