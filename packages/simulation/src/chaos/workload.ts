import type { World } from "../audit/Journal.js"
import { listAt, textAt } from "../audit/json.js"
import type { Chance } from "../run/Chance.js"
import { publishWorkflows, readAutomation, sendOrder } from "./automation.js"
import type { Callers, Received } from "./Callers.js"
import { applicationNames, customers, numbers } from "./tenants.js"
import type { VendorServer } from "./vendor.js"

interface Send {
  readonly application: string
  readonly key: string
  readonly body: object
}

interface KnownMessage {
  readonly application: string
  readonly id: string
  readonly contactId: string | null
}

/** What applications, administrators and customers do, and what they can read at the end. */
export interface Workload {
  /** Publishes a workflow in each workspace. */
  readonly publish: () => Promise<void>
  /**
   * Does one thing: sends, repeats an earlier send with its key, sends a business event, reads, erases a contact,
   * rotates the secret of an endpoint, or has a customer write.
   */
  readonly act: () => Promise<void>
  /** Each customer writes to each business: this opens the service windows, without which free text is refused. */
  readonly openWindows: () => void
  /** Reads all that the callers can see. */
  readonly readAll: () => Promise<void>
  readonly messages: () => number
}

const rateWindowMs = 60_000
const recent = 50
/** Orders, whose events repeat. */
const orders = 100
const pageSize = 100

export const makeWorkload = (
  chance: Chance,
  callers: Callers,
  vendor: VendorServer,
  world: Pick<World, "endpoints" | "workspaces">
): Workload => {
  const endpointIds = world.endpoints.map(({ id }) => id)
  const workspaceIds = world.workspaces.map(({ id }) => id)
  const sent: Array<Send> = []
  const messages: Array<KnownMessage> = []
  const known = new Set<string>()
  let texts = 0
  /** Texts differ, so that the auditor tells messages of customers apart. */
  const text = () => `${chance.pick(["hello", "order 17 is ready", "thank you", "x".repeat(1_000)])} ${++texts}`
  const recentOf = <A>(list: ReadonlyArray<A>): A | undefined =>
    list.length === 0 ? undefined : list[list.length - 1 - chance.between(0, Math.min(list.length, recent) - 1)]

  const post = async ({ application, body, key }: Send): Promise<void> => {
    const received = await callers.request(application, "POST", "/api/v1/messages", { idempotencyKey: key, body })
    const id =
      received?.status === 202
        ? textAt(received.body, "data", "message_id")
        : textAt(received?.body, "error", "details", "message_id")
    if (id === null || known.has(id)) return
    known.add(id)
    messages.push({ application, id, contactId: textAt(received?.body, "data", "contact_id") })
  }
  const order = async (application: string): Promise<void> => {
    const contactId = recentOf(messages.filter((one) => one.application === application))?.contactId ?? null
    if (contactId === null) return
    await sendOrder(callers, { application, contactId, key: `event-${++texts}`, order: chance.between(1, orders) })
  }
  const administer = async (): Promise<void> => {
    if (chance.happens(0.5)) {
      await callers.request(
        "administrator",
        "POST",
        `/admin/v1/webhook-endpoints/${chance.pick(endpointIds)}/rotate-secret`
      )
      return
    }
    const contactId = recentOf(messages)?.contactId ?? null
    if (contactId !== null) await callers.request("administrator", "DELETE", `/admin/v1/contacts/${contactId}`)
  }
  const write = (text: string) => vendor.write(chance.pick(numbers), chance.pick(customers), text)

  const act = async (): Promise<void> => {
    const roll = chance.between(0, 99)
    const application = chance.pick(applicationNames)
    if (roll < 45) {
      const body = { channel: "whatsapp", to: chance.pick(customers), type: "text", message: { body: text() } }
      const send = { application, key: `key-${texts}`, body }
      sent.push(send)
      return post(send)
    }
    if (roll < 60) {
      const earlier = recentOf(sent)
      if (earlier === undefined) return
      return post(chance.happens(0.15) ? { ...earlier, body: { ...earlier.body, message: { body: text() } } } : earlier)
    }
    if (roll < 75) {
      const message = recentOf(messages)
      const path = message === undefined || chance.happens(0.2) ? "conversations" : `messages/${message.id}`
      await callers.request(message?.application ?? application, "GET", `/api/v1/${path}`)
      return
    }
    if (roll < 79) return order(application)
    if (roll < 80) return administer()
    write(chance.happens(0.01) ? "STOP" : chance.happens(0.05) ? "START" : text())
  }

  /** Reads, and tries again where the rate limit is reached or no host answers. */
  const read = async (caller: string, path: string): Promise<Received | null> => {
    for (let tries = 0; tries < 20; tries++) {
      const received = await callers.request(caller, "GET", path)
      if (received !== null && received.status !== 429 && received.status !== 503) return received
      if (received?.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, rateWindowMs / 4))
      }
    }
    return null
  }
  const pages = async (caller: string, path: string): Promise<ReadonlyArray<unknown>> => {
    const bodies: Array<unknown> = []
    for (let next: string | null = path; next !== null; ) {
      const received: Received | null = await read(caller, next)
      bodies.push(received?.body)
      const link: string | null = textAt(received?.body, "links", "next")
      next = link === null ? null : link.slice(link.search(/\/(api|admin)\/v1/))
    }
    return bodies
  }
  const readMessages = async (application: string): Promise<void> => {
    for (const { id } of messages.filter((one) => one.application === application)) {
      const received = await read(application, `/api/v1/messages/${id}`)
      if (textAt(received?.body, "data", "status") !== "queued") continue
      await read("administrator", `/admin/v1/messages/${id}/sending`)
    }
    await pages(application, `/api/v1/conversations?limit=${pageSize}`)
    await pages(application, `/api/v1/contacts?per_page=${pageSize}`)
  }

  return {
    publish: () => publishWorkflows(callers, workspaceIds),
    act,
    openWindows: () => {
      for (const number of numbers) for (const customer of customers) vendor.write(number, customer, text())
    },
    readAll: async () => {
      await Promise.all(applicationNames.map(readMessages))
      for (const id of endpointIds) {
        await read("administrator", `/admin/v1/webhook-endpoints/${id}`)
        await pages("administrator", `/admin/v1/webhook-endpoints/${id}/deliveries?status=pending&limit=${pageSize}`)
      }
      await readAutomation(
        workspaceIds,
        (path) => read("administrator", path),
        (path) => pages("administrator", path)
      )
      await read("administrator", "/admin/v1/status")
      for (const lane of lanes) await pages("administrator", `/admin/v1/jobs?lane=${lane}`)
    },
    messages: () => messages.length
  }
}

const lanes = ["sends", "receipts", "deliveries", "retries", "runs", "calls", "parked"] as const

/**
 * The number of jobs that are due, run, or become due within `ms`; null if no host answers. Jobs beyond the first page
 * of a lane are not counted.
 */
export const openJobs = async (callers: Callers, ms: number): Promise<number | null> => {
  let open = 0
  for (const lane of lanes) {
    const received = await callers.request("administrator", "GET", `/admin/v1/jobs?lane=${lane}`)
    if (received?.status !== 200) return null
    for (const job of listAt(received.body, "data")) {
      const state = textAt(job, "state")
      const nextRunAt = Date.parse(textAt(job, "next_run_at") ?? "")
      if (state === "due" || state === "leased" || (state === "waiting" && nextRunAt < Date.now() + ms)) open++
    }
  }
  return open
}
