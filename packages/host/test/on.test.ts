import { randomBytes } from "node:crypto"
import { describe, expect, it, vi } from "@effect/vitest"
import { isParleyError } from "@parley/client"
import type { Storage, Wakeup } from "@parley/core"
import { sharedDatabases } from "@parley/testkit/databases"
import { Effect, type Layer } from "effect"
import type { EventHandler, LogEntry, Parley, SubscriptionOptions } from "../src/index.js"
import { email, makeShop, withParley } from "./shop.js"

type Received = Parameters<EventHandler>

/** Subscribes with a handler that keeps what it receives, and calls `handle`. */
const receiving = async (
  parley: Parley,
  application: string,
  {
    name = "notes",
    handle = () => {},
    ...options
  }: Partial<SubscriptionOptions> & { name?: string; handle?: EventHandler } = {}
) => {
  const received: Array<Received> = []
  const subscription = await parley.on(
    name,
    ["message.queued", "message.sent"],
    (event, attempt) => {
      received.push([event, attempt])
      return handle(event, attempt)
    },
    { application, ...options }
  )
  return { received, subscription }
}

const send = async (parley: Parley, application: string, to = "ada@acme.example") =>
  (await parley.as(application).messages.send(email(to))).data.message_id

const delivered = async (received: ReadonlyArray<Received>, count: number) =>
  vi.waitFor(() => expect(received.length).toBe(count), { timeout: 60_000, interval: 5 })

const subscribed = ({ admin }: Parley, application: string) =>
  vi.waitFor(async () => {
    const path = `/applications/${application}/webhook-endpoints`
    expect((await admin.request<{ data: Array<unknown> }>("GET", path)).data).toHaveLength(1)
  })

/** The deliveries to an endpoint, newest first. */
const deliveriesTo = async (
  { admin }: Parley,
  endpointId = "",
  filter = ""
): Promise<ReadonlyArray<{ readonly [field: string]: any }>> => {
  const path = `/webhook-deliveries?endpoint_id=${endpointId}${filter}`
  return (await admin.request<{ data: Array<any> }>("GET", path)).data
}

const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (error: unknown) => error
  )
  if (!isParleyError(error)) throw error
  return error
}

describe("a subscription", () => {
  it("receives the events of its types as webhooks have them", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const { received, subscription } = await receiving(parley, applicationId)
      const id = await send(parley, applicationId)
      await delivered(received, 2)
      expect(received.map(([{ type }]) => type).sort()).toEqual(["message.queued", "message.sent"])
      for (const [event, { attempt, deliveryId, signal }] of received) {
        expect(event.data).toMatchObject({ message: { id, body: "Hello" } })
        expect([attempt, signal.aborted]).toEqual([1, false])
        await vi.waitFor(async () => {
          const { data } = await parley.admin.request<{ data: any }>("GET", `/webhook-deliveries/${deliveryId}`)
          expect(data).toMatchObject({ status: "delivered", endpoint_id: subscription.id, event_id: event.id })
          expect(data.attempts).toMatchObject([{ number: 1, status: null, error: null }])
        })
      }
    }))

  it("takes the id of its application in upper case", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const upper = applicationId.toUpperCase()
      const { received, subscription } = await receiving(parley, upper)
      await expect(receiving(parley, applicationId)).rejects.toThrow("handles the events of the subscription")
      await send(parley, upper)
      await delivered(received, 2)
      await subscription.remove()
    }))

  it("tries again after a failure, with the same event and delivery", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const failing = { "message.queued": 1, "message.sent": 0 } as { [type: string]: number }
      const { received } = await receiving(parley, applicationId, {
        handle: ({ type }, { attempt }) => {
          if (attempt <= (failing[type] ?? 0)) throw new Error("the notes are full")
        }
      })
      await send(parley, applicationId)
      await delivered(received, 3)
      const queued = received.filter(([{ type }]) => type === "message.queued")
      expect(queued.map(([, { attempt }]) => attempt)).toEqual([1, 2])
      expect(new Set(queued.map(([{ id }]) => id)).size).toBe(1)
      const [, { deliveryId }] = queued[0] as Received
      await vi.waitFor(async () => {
        const { data } = await parley.admin.request<{ data: any }>("GET", `/webhook-deliveries/${deliveryId}`)
        expect(data.attempts).toMatchObject([{ error: "Error: the notes are full" }, { error: null }])
      })
    }))

  it.each([
    ["rejects", () => Promise.reject(new TypeError("no such note")), "TypeError: no such note"],
    [
      "throws",
      () => {
        throw new TypeError("no such note")
      },
      "TypeError: no such note"
    ],
    ["throws what is no error", () => Promise.reject("full"), "full"],
    ["hangs", () => new Promise(() => {}), "The handler did not end within 20 ms."]
  ])("records how a handler failed that %s", (_, handle, error) =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const { received } = await receiving(parley, applicationId, { handle, timeoutMs: 20 })
      await send(parley, applicationId)
      await vi.waitFor(
        async () => {
          const [, { deliveryId }] = received[0] as Received
          const { data } = await parley.admin.request<{ data: any }>("GET", `/webhook-deliveries/${deliveryId}`)
          expect(data.attempts[0]).toMatchObject({ status: null, error, answer: null })
        },
        { timeout: 60_000, interval: 10 }
      )
    })
  )

  it("warns of a handler that blocks the process, and delivers its events once", async () => {
    const warnings: Array<string> = []
    const logger = ({ level, message }: LogEntry) => {
      if (level === "warn") warnings.push(message)
    }
    await withParley({ logger }, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const { received } = await receiving(parley, applicationId, {
        handle: () => {
          for (const end = performance.now() + 1_050; performance.now() < end; );
        }
      })
      await send(parley, applicationId)
      await delivered(received, 2)
    })
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatch(/^The handler of the subscription notes blocked this process for 1\d\d\d ms\./)
  })

  it("aborts the signal of a handler at its timeout", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const aborted = vi.fn()
      await receiving(parley, applicationId, {
        timeoutMs: 20,
        handle: (_, { signal }) => new Promise(() => signal.addEventListener("abort", aborted))
      })
      await send(parley, applicationId)
      await vi.waitFor(() => expect(aborted).toHaveBeenCalled(), { timeout: 60_000 })
    }))

  it("keeps events while no process handles it, and delivers them to the next that does", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const first = await receiving(parley, applicationId)
      await first.subscription.stop()
      await send(parley, applicationId)
      const next = await receiving(parley, applicationId)
      await delivered(next.received, 2)
      expect(first.received).toEqual([])
      expect(next.subscription.id).toBe(first.subscription.id)
    }))

  it("starts a new subscription at an earlier time, once", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const from = new Date(Date.now() - 60_000)
      await send(parley, applicationId)
      const first = await receiving(parley, applicationId, { from })
      await delivered(first.received, 2)
      await first.subscription.stop()
      const again = await receiving(parley, applicationId, { from })
      await send(parley, applicationId, "eve@acme.example")
      await delivered(again.received, 2)
    }))

  it("handles at most as many events at once as its concurrency", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      let running = 0
      let most = 0
      const { received } = await receiving(parley, applicationId, {
        concurrency: 2,
        handle: async () => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
        }
      })
      await Promise.all(Array.from({ length: 12 }, (_, n) => send(parley, applicationId, `ada${n}@acme.example`)))
      await delivered(received, 24)
      expect(most).toBe(2)
    }))

  it("survives a short outage of many events, and continues when it is enabled after it was disabled", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const failing = await receiving(parley, applicationId, {
        handle: () => {
          throw new Error("down")
        }
      })
      const { subscription } = failing
      await Promise.all(Array.from({ length: 13 }, (_, n) => send(parley, applicationId, `ada${n}@acme.example`)))
      const path = `/webhook-endpoints/${subscription.id}`
      // Each of the 26 events failed, some of them again.
      await vi.waitFor(() => expect(failing.received.length).toBeGreaterThan(30), { timeout: 60_000 })
      const { data } = await parley.admin.request<{ data: any }>("GET", path)
      expect(data).toMatchObject({ status: "active", consecutive_failures: 0, url: "subscription:notes" })
      await parley.admin.request("PATCH", path, { status: "disabled" })
      await subscription.stop()
      const { received, ...again } = await receiving(parley, applicationId)
      expect(again.subscription.status).toBe("disabled")
      await parley.admin.request("PATCH", path, { status: "active" })
      await vi.waitFor(() => expect(new Set(received.map(([{ id }]) => id)).size).toBe(26), { timeout: 60_000 })
    }))

  it("says that it is disabled, and how to enable it", async () => {
    const warnings: Array<string> = []
    const logger = ({ level, message }: LogEntry) => {
      if (level === "warn") warnings.push(message)
    }
    await withParley({ logger }, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const first = await parley.on("notes", "*", () => {}, { application })
      await parley.admin.request("PATCH", `/webhook-endpoints/${first.id}`, { status: "disabled" })
      await first.stop()
      const second = await parley.on("notes", "*", () => {}, { application })
      expect([first.status, second.status]).toEqual(["active", "disabled"])
      expect(warnings).toEqual([expect.stringContaining(`parley endpoint enable ${first.id}`)])
    })
  })

  it("changes its types when it subscribes with others", () =>
    withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const first = await parley.on("notes", "message.read", () => {}, { application })
      await first.stop()
      const second = await parley.on("notes", "*", () => {}, { application })
      const { data } = await parley.admin.request<{ data: any }>("GET", `/webhook-endpoints/${second.id}`)
      expect(data.events).toEqual(["*"])
    }))

  it("is gone once it is removed, and new when it subscribes again", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const first = await receiving(parley, applicationId)
      await first.subscription.remove()
      const list = () =>
        parley.admin.request<{ data: Array<unknown> }>("GET", `/applications/${applicationId}/webhook-endpoints`)
      expect((await list()).data).toEqual([])
      await send(parley, applicationId)
      const second = await receiving(parley, applicationId)
      await send(parley, applicationId, "eve@acme.example")
      await delivered(second.received, 2)
      expect((await list()).data).toMatchObject([{ id: first.subscription.id, status: "active" }])
    }))

  it("fails the events that wait when it is removed", () =>
    withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const { subscription } = await receiving(parley, application)
      await subscription.stop()
      await send(parley, application)
      await subscription.remove()
      await vi.waitFor(
        async () => {
          const data = await deliveriesTo(parley, subscription.id)
          expect(data.map(({ status }) => status)).toEqual(["failed", "failed"])
        },
        { timeout: 60_000 }
      )
    }))

  it("answers a test delivery without calling its handler", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const { received, subscription } = await receiving(parley, applicationId)
      const { data } = await parley.admin.request<{ data: any }>("POST", `/webhook-endpoints/${subscription.id}/test`)
      await vi.waitFor(async () => {
        const found = await parley.admin.request<{ data: any }>("GET", `/webhook-deliveries/${data.id}`)
        expect(found.data.status).toBe("delivered")
      })
      expect(received).toEqual([])
    }))

  it("refuses what it cannot do, with the reason", () =>
    withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const { subscription } = await receiving(parley, application)
      expect(await failure(receiving(parley, application))).toMatchObject({ code: "invalid_transition" })
      for (const unknown of ["01900000-0000-7000-8000-000000000000", "shop"]) {
        expect(await failure(receiving(parley, unknown))).toMatchObject({
          code: "not_found",
          status: 404,
          message: "No application or workspace has this id."
        })
      }
      expect(await failure(receiving(parley, application, { name: "all notes" }))).toMatchObject({
        code: "validation_failed",
        details: { name: [expect.stringContaining("letters")] }
      })
      expect(
        await failure(receiving(parley, application, { name: "later", from: new Date(Date.now() + 3_600_000) }))
      ).toMatchObject({ details: { from: ["must not be in the future"] } })
      const url = parley.admin.request("PATCH", `/webhook-endpoints/${subscription.id}`, {
        url: "https://acme.example"
      })
      expect(await failure(url)).toMatchObject({ details: { url: [expect.stringContaining("cannot be changed")] } })
      await parley.admin.request("PATCH", `/applications/${application}`, { scopes: ["messages.send"] })
      expect(await failure(receiving(parley, application, { name: "other" }))).toMatchObject({
        code: "forbidden",
        details: { required_scope: "webhooks.receive" }
      })
      await expect(receiving(parley, application, { concurrency: 0, timeoutMs: 0.5 })).rejects.toThrow(
        /concurrency.*\n.*timeoutMs/
      )
      await expect(receiving(parley, application, { timeout: 5 } as object)).rejects.toThrow("timeout is not an option")
      await expect(parley.on("others", "*", undefined as never, {} as never)).rejects.toThrow(
        /^parley\.on: the handler must be a function\n`application` must be the id/
      )
      for (const given of [undefined, null, application]) {
        await expect(parley.on("others", "*", () => {}, given as never)).rejects.toThrow(
          /^parley\.on: the last argument must be an object with `application`/
        )
        expect(() => parley.events("others", "*", given as never)).toThrow(
          /^parley\.events: the last argument must be an object with `application`/
        )
      }
      expect(() => parley.events("others", "*", { application, concurrency: 2 } as never)).toThrow(
        /^parley\.events: concurrency is not an option: the options are application, workspace, from, ordered, timeoutMs$/
      )
    }))

  it("needs a process with a worker", () =>
    withParley({ worker: false }, async (parley) => {
      const { applicationId } = await makeShop(parley)
      await expect(receiving(parley, applicationId)).rejects.toThrow("its option `worker` is false")
    }))
})

/** A handler that keeps how many events of each conversation it handles at once, and which it has handled. */
const watching = (ends: (event: Received[0], attempt: Received[1]) => Promise<void> = () => Promise.resolve()) => {
  const running = new Map<string, number>()
  const handled = new Map<string, Array<string>>()
  const seen = { most: 0, together: 0, handled }
  const handle = async (event: any, attempt: Received[1]) => {
    const conversation = event.data.message.conversation_id
    const now = (running.get(conversation) ?? 0) + 1
    running.set(conversation, now)
    seen.most = Math.max(seen.most, now)
    seen.together = Math.max(
      seen.together,
      [...running.values()].reduce((sum, count) => sum + count, 0)
    )
    try {
      await new Promise((resolve) => setTimeout(resolve, 1))
      await ends(event, attempt)
      handled.set(conversation, [...(handled.get(conversation) ?? []), event.id])
    } finally {
      running.set(conversation, (running.get(conversation) ?? 0) - 1)
    }
  }
  return { seen, handle: handle as EventHandler }
}

const people = ["ada", "bob", "eve"].map((name) => `${name}@acme.example`)

const allHandled = (handled: ReadonlyMap<string, ReadonlyArray<string>>, count: number) =>
  vi.waitFor(() => expect([...handled.values()].flat().length).toBe(count), { timeout: 60_000, interval: 5 })

describe("an ordered subscription", () => {
  const ordered = "conversation" as const

  it("handles the events of a conversation one after another, in their order, and those of others beside them", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const { handle, seen } = watching()
      await receiving(parley, applicationId, { ordered, handle })
      const rounds = 8
      await Promise.all(
        people.map(async (to) => {
          for (let n = 0; n < rounds; n++) await send(parley, applicationId, to)
        })
      )
      await allHandled(seen.handled, people.length * rounds * 2)
      expect(seen.most).toBe(1)
      expect(seen.together).toBeGreaterThan(1)
      for (const ids of seen.handled.values()) expect(ids).toEqual([...ids].sort())
    }))

  it("lets the later events of a conversation wait while one waits for its retry, and says so", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      let isDown = true
      let first = ""
      const { handle, seen } = watching(async ({ id, type, data }) => {
        if (first === "" && type === "message.queued" && "message" in data && data.message.body === "Hello") first = id
        if (isDown && id === first) throw new Error("down")
      })
      const { subscription } = await receiving(parley, applicationId, { ordered, handle })
      await send(parley, applicationId)
      await send(parley, applicationId)
      await send(parley, applicationId, "bob@acme.example")
      await allHandled(seen.handled, 2)
      await vi.waitFor(
        async () => {
          const data = await deliveriesTo(parley, subscription.id, "&status=pending")
          expect(data.map(({ waiting_for }) => waiting_for).sort()).toEqual([
            "earlier_delivery",
            "earlier_delivery",
            "earlier_delivery",
            null
          ])
        },
        { timeout: 60_000 }
      )
      isDown = false
      await allHandled(seen.handled, 6)
      expect(seen.most).toBe(1)
      for (const ids of seen.handled.values()) expect(ids).toEqual([...ids].sort())
    }))

  it("does not let a replay wait", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const fails = new Set<string>()
      const { received, subscription } = await receiving(parley, applicationId, {
        ordered,
        handle: ({ type }) => {
          if (fails.has(type)) throw new Error("down")
        }
      })
      await send(parley, applicationId)
      await delivered(received, 2)
      fails.add("message.queued")
      await send(parley, applicationId)
      const [waits] = await vi.waitFor(
        async () => {
          const data = await deliveriesTo(parley, subscription.id, "&status=pending")
          const found = data.filter(({ waiting_for }) => waiting_for === "earlier_delivery")
          expect(found).toHaveLength(1)
          return found
        },
        { timeout: 60_000 }
      )
      const [, { deliveryId }] = received[1] as Received
      for (const id of [deliveryId, waits?.id]) {
        await parley.admin.request("POST", `/webhook-deliveries/${id}/replay`)
        await vi.waitFor(async () => {
          const { data } = await parley.admin.request<{ data: any }>("GET", `/webhook-deliveries/${id}`)
          expect(data).toMatchObject({ status: "delivered" })
        })
      }
      fails.clear()
      await vi.waitFor(async () => {
        expect(await deliveriesTo(parley, subscription.id, "&status=delivered")).toHaveLength(4)
      }, 60_000)
    }))

  it("recovers events in their order", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const from = new Date(Date.now() - 60_000)
      for (let n = 0; n < 5; n++) for (const to of people) await send(parley, applicationId, to)
      const { handle, seen } = watching()
      await receiving(parley, applicationId, { ordered, handle, from })
      await allHandled(seen.handled, 30)
      expect(seen.most).toBe(1)
      for (const ids of seen.handled.values()) expect(ids).toEqual([...ids].sort())
    }))

  it("is ordered from the time on at which it asks for it", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const first = await receiving(parley, applicationId)
      await send(parley, applicationId)
      await delivered(first.received, 2)
      await first.subscription.stop()
      await send(parley, applicationId)
      const { handle, seen } = watching()
      const second = await receiving(parley, applicationId, { ordered, handle })
      await allHandled(seen.handled, 2)
      for (let n = 0; n < 3; n++) await send(parley, applicationId)
      await allHandled(seen.handled, 8)
      const [later] = [...seen.handled.values()].map((ids) => ids.slice(2))
      expect(later).toEqual([...(later ?? [])].sort())
      await second.subscription.stop()
      const third = await receiving(parley, applicationId)
      await send(parley, applicationId)
      await delivered(third.received, 2)
    }))

  it("refuses another order", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      await expect(receiving(parley, applicationId, { ordered: "contact" as "conversation" })).rejects.toThrow(
        '`ordered` must be "conversation"'
      )
    }))
})

describe("a subscription of a workspace", () => {
  const twoShops = async (parley: Parley) => {
    const shop = await makeShop(parley)
    const other = await makeShop(parley)
    const connections = await parley.admin.connections.list({ workspace_id: shop.workspaceId })
    const second = await parley.admin.applications.create({
      workspace_id: shop.workspaceId,
      name: "Second",
      mode: "live",
      scopes: ["messages.send"],
      connection_ids: [connections.data[0]?.id ?? ""]
    })
    return { ...shop, second: second.data.id, other, connectionId: connections.data[0]?.id ?? "" }
  }

  it("receives the events of all applications of its workspace, and of none, and says whose they are", () =>
    withParley({}, async (parley) => {
      const { applicationId, connectionId, other, second, workspaceId } = await twoShops(parley)
      const seen: Array<readonly [type: string, application: string | null]> = []
      const own = await receiving(parley, applicationId)
      const { id } = await parley.on(
        "audit",
        ["message.queued", "message.received"],
        ({ application_id, type }) => seen.push([type, application_id]),
        { workspace: workspaceId }
      )
      await send(parley, applicationId)
      await send(parley, second)
      await send(parley, other.applicationId)
      await parley.admin.connections.simulateInbound(connectionId, { from: "ada@acme.example", body: "Hi" })
      await vi.waitFor(() => expect(seen).toHaveLength(3), { timeout: 60_000 })
      expect(new Map(seen.map(([type, application]) => [application, type]))).toEqual(
        new Map([
          [applicationId, "message.queued"],
          [second, "message.queued"],
          [null, "message.received"]
        ])
      )
      await delivered(own.received, 2)
      expect(own.received.every(([event]) => !("application_id" in event))).toBe(true)
      const listed = await parley.admin.request<{ data: Array<any> }>(
        "GET",
        `/workspaces/${workspaceId}/webhook-endpoints`
      )
      expect(listed.data).toMatchObject([{ id, application_id: null, url: "subscription:audit" }])
      const ofApplication = await parley.admin.request<{ data: Array<any> }>(
        "GET",
        `/applications/${applicationId}/webhook-endpoints`
      )
      expect(ofApplication.data.map((endpoint) => endpoint.id)).toEqual([own.subscription.id])
    }))

  it("receives events while applications are suspended or have no scope", () =>
    withParley({}, async (parley) => {
      const { connectionId, applicationId, second, workspaceId } = await twoShops(parley)
      const seen: Array<string> = []
      await parley.on("audit", "*", ({ type }) => seen.push(type), { workspace: workspaceId })
      for (const id of [applicationId, second]) await parley.admin.applications.update(id, { status: "suspended" })
      await parley.admin.connections.simulateInbound(connectionId, { from: "ada@acme.example", body: "Hi" })
      await vi.waitFor(() => expect(seen).toContain("message.received"), { timeout: 60_000 })
    }))

  it("is ordered, replayed, tested, recovered, disabled and removed as that of an application", () =>
    withParley({}, async (parley) => {
      const { applicationId, second, workspaceId } = await twoShops(parley)
      const from = new Date(Date.now() - 60_000)
      await send(parley, applicationId)
      const { handle, seen } = watching()
      const subscription = await parley.on("audit", ["message.queued", "message.sent"], handle, {
        workspace: workspaceId,
        ordered: "conversation",
        from
      })
      await allHandled(seen.handled, 2)
      const path = `/webhook-endpoints/${subscription.id}`
      const { data } = await parley.admin.request<{ data: Array<any> }>("GET", `${path}/deliveries`)
      await parley.admin.request("POST", `/webhook-deliveries/${data[0].id}/replay`)
      await allHandled(seen.handled, 3)
      expect(data[0].application_id).toBeNull()
      await parley.admin.request("POST", `${path}/test`)
      await parley.admin.request("PATCH", path, { status: "disabled" })
      await send(parley, second)
      await parley.admin.request("PATCH", path, { status: "active" })
      await parley.admin.request("POST", `${path}/recover`, { since: from.toISOString() })
      await allHandled(seen.handled, 5)
      expect(seen.most).toBe(1)
      const { data: status } = await parley.admin.request<{ data: any }>("GET", path)
      expect(status).toMatchObject({ status: "active", application_id: null, ordered: "conversation" })
      await subscription.remove()
      expect((await failure(parley.admin.request("GET", path))).code).toBe("not_found")
    }))

  it("keeps its events while no process handles it", () =>
    withParley({}, async (parley) => {
      const { applicationId, workspaceId } = await twoShops(parley)
      const { id, stop } = await parley.on("audit", "message.queued", () => {}, { workspace: workspaceId })
      await stop()
      await send(parley, applicationId)
      const { data } = await parley.admin.request<{ data: Array<any> }>("GET", `/webhook-endpoints/${id}/deliveries`)
      expect(data).toMatchObject([{ status: "pending", waiting_for: null, application_id: null }])
    }))

  it("comes in a loop, and needs a workspace that exists", () =>
    withParley({}, async (parley) => {
      const { applicationId, workspaceId } = await twoShops(parley)
      const unknown = "01900000-0000-7000-8000-000000000000"
      expect(await failure(parley.on("audit", "*", () => {}, { workspace: unknown }))).toMatchObject({
        code: "not_found"
      })
      expect(await failure(parley.on("audit", "*", () => {}, { workspace: applicationId }))).toMatchObject({
        code: "not_found"
      })
      const both = { application: applicationId, workspace: workspaceId } as unknown as SubscriptionOptions
      await expect(parley.on("audit", "*", () => {}, both)).rejects.toThrow("or `workspace` that of a workspace")
      const loop = (async () => {
        for await (const event of parley.events("audit", "message.queued", { workspace: workspaceId })) return event
        return null
      })()
      await vi.waitFor(async () => {
        const path = `/workspaces/${workspaceId}/webhook-endpoints`
        expect((await parley.admin.request<{ data: Array<unknown> }>("GET", path)).data).toHaveLength(1)
      })
      await send(parley, applicationId)
      expect((await loop)?.application_id).toBe(applicationId)
    }))
})

describe.each(sharedDatabases)("a subscription of two processes on %s", (_, open) => {
  const withTwo = (test: (one: Parley, other: Parley) => Promise<void>) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const [one, other] = yield* open
          const options = { secretKey: randomBytes(32).toString("base64") }
          yield* Effect.promise(() =>
            withParley({ ...options, storage: one as Layer.Layer<Storage | Wakeup> }, (first) =>
              withParley({ ...options, storage: other as Layer.Layer<Storage | Wakeup> }, (second) =>
                test(first, second)
              )
            )
          )
        })
      )
    )

  it("is created once, and each event is handled by one of them", () =>
    withTwo(async (one, other) => {
      const { applicationId: application } = await makeShop(one)
      const both = await Promise.all([receiving(one, application), receiving(other, application)])
      expect(both[0].subscription.id).toBe(both[1].subscription.id)
      const count = 40
      await Promise.all(
        Array.from({ length: count }, (_, n) => send(n % 2 === 0 ? one : other, application, `ada${n}@acme.example`))
      )
      const all = () => both.flatMap(({ received }) => received)
      await vi.waitFor(() => expect(all().length).toBeGreaterThanOrEqual(2 * count), { timeout: 60_000 })
      expect(new Set(all().map(([{ id }]) => id)).size).toBe(2 * count)
      expect(all()).toHaveLength(2 * count)
    }))

  it("that is ordered handles one event of a conversation at a time, in both together", () =>
    withTwo(async (one, other) => {
      const { applicationId: application } = await makeShop(one)
      const { handle, seen } = watching()
      await Promise.all(
        [one, other].map((parley) => receiving(parley, application, { ordered: "conversation", handle }))
      )
      const count = 10
      await Promise.all(
        Array.from({ length: count * people.length }, (_, n) =>
          send(n % 2 === 0 ? one : other, application, people[n % people.length])
        )
      )
      await allHandled(seen.handled, 2 * count * people.length)
      expect(seen.most).toBe(1)
    }))

  it("reaches only the process that handles it", () =>
    withTwo(async (one, other) => {
      const { applicationId: application } = await makeShop(one)
      const notes = await receiving(one, application, { name: "notes" })
      const stock = await receiving(other, application, { name: "stock" })
      await Promise.all([1, 2, 3].map((n) => send(other, application, `ada${n}@acme.example`)))
      await delivered(notes.received, 6)
      await delivered(stock.received, 6)
      for (const { received, subscription } of [notes, stock]) {
        const data = await deliveriesTo(one, subscription.id)
        expect(received.map(([, { deliveryId }]) => deliveryId).sort()).toEqual(data.map(({ id }) => id).sort())
      }
    }))
})

describe("the events of a subscription in a loop", () => {
  it("come one after another, and the one at which the loop ends comes again", () =>
    withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const loop = () => parley.events("notes", ["message.queued", "message.sent"], { application })
      const ids: Array<string> = []
      const first = (async () => {
        for await (const event of loop()) {
          ids.push(event.id)
          if (ids.length === 2) break
        }
      })()
      await subscribed(parley, application)
      await send(parley, application)
      await first
      for await (const event of loop()) {
        expect(event.id).toBe(ids[1])
        break
      }
    }))

  it("are taken one at a time also when the loop takes too long", () =>
    withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const taken = new Map<string, number>()
      const endpoints = async () => {
        const path = `/applications/${application}/webhook-endpoints`
        return (await parley.admin.request<{ data: Array<{ id: string }> }>("GET", path)).data
      }
      /** The number of attempts at each event of the subscription. */
      const attempts = async () => {
        const [endpoint] = await endpoints()
        const data = await deliveriesTo(parley, endpoint?.id)
        return new Map(data.map(({ attempt_count, event_id }) => [event_id, attempt_count]))
      }
      const loop = (async () => {
        for await (const { id } of parley.events("notes", "message.queued", { application, timeoutMs: 100 })) {
          taken.set(id, (taken.get(id) ?? 0) + 1)
          if (taken.size === 2) break
          // Longer than the timeout of the first event and of one that would be taken after it.
          await vi.waitFor(async () => expect((await attempts()).get(id)).toBe(taken.get(id)), { timeout: 60_000 })
          await new Promise((resolve) => setTimeout(resolve, 400))
          expect(await attempts()).toEqual(
            new Map([...(await attempts()).keys()].map((one) => [one, taken.get(one) ?? 0]))
          )
        }
      })()
      await subscribed(parley, application)
      await Promise.all([send(parley, application), send(parley, application, "eve@acme.example")])
      await loop
      await vi.waitFor(async () => expect(await attempts()).toEqual(taken), { timeout: 60_000 })
    }))

  it("end while the next one is awaited", () =>
    withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const events = parley.events("notes", "*", { application })[Symbol.asyncIterator]()
      const next = events.next()
      await subscribed(parley, application)
      expect(await events.return?.()).toEqual({ done: true, value: undefined })
      expect(await next).toEqual({ done: true, value: undefined })
      const again = await parley.on("notes", "*", () => {}, { application })
      await again.stop()
    }))

  it("end when Parley closes", async () => {
    let ended: Promise<void> | undefined
    await withParley({}, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      ended = (async () => {
        for await (const _ of parley.events("notes", "*", { application })) {
        }
      })()
      await subscribed(parley, application)
    })
    await ended
  })
})
