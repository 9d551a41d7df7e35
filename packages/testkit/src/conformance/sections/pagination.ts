import type { Schema } from "effect"
import { expect } from "vitest"
import { cursorPage, page, resource, wrongFields } from "../Answers.js"
import type { Caller, Query } from "../Caller.js"
import { freshHandle } from "../Handles.js"
import { Contact, Conversation, ListedContact, Message, SendAcknowledgement, Template } from "../Resources.js"
import { once, type Section } from "../Suite.js"

/** Five rows on every list, and a lead that a filter selects. */
const shelf = once(async (world) => {
  const tenant = await world.tenant(["telegram"])
  const { api } = tenant.app
  const { telegram } = tenant.connections
  for (const name of ["a", "b", "c", "d", "e"]) {
    const body = { first_name: name, tags: ["five"], identities: [{ channel: "telegram", handle: name }] }
    resource(await api.post("/contacts", body), 201, Contact)
    await tenant.template({ name, language: "en" })
    await tenant.inbound(telegram, name)
  }
  const conversation = await tenant.inbound(telegram, "e")
  for (let index = 0; index < 3; index++) await tenant.inbound(telegram, "e", `message ${index}`)
  return { ...tenant, api, conversation: conversation.conversation_id }
})

/** An empty workspace. */
const bare = once((world) => world.tenant([]))

const pages: ReadonlyArray<
  readonly [path: string, schema: Schema.Schema<{ readonly name: string }, any>, query: Query]
> = [
  ["/contacts", ListedContact as any, { tag: "five" }],
  ["/templates", Template as any, { language: "en" }]
]

/** All rows, from the first page on by the links. */
const readAllPages = async (
  api: Caller,
  start: string,
  schema: Schema.Schema<any, any>
): Promise<ReadonlyArray<{ readonly id: string }>> => {
  const items: Array<{ readonly id: string }> = []
  let answer = await api.get(start)
  for (;;) {
    const { data, links } = cursorPage(answer, schema)
    items.push(...data)
    if (links.next === null) return items
    answer = await api.follow(links.next)
  }
}

/** Pagination (docs/reference/pagination.md#page-lists). */
export const pagination: Section = ({ proves }) => {
  for (const [path, schema, query] of pages) {
    proves(`Pagination · page · ${path} · links.next leads through all pages, with the filters`, async (world) => {
      const { api } = await shelf(world)
      const names: Array<string> = []
      let answer = await api.get(path, { ...query, per_page: 2 })
      for (let number = 1; ; number++) {
        const { data, links, meta } = page(answer, schema)
        names.push(...data.map(({ name }) => name))
        expect(meta).toEqual({ current_page: number, per_page: 2, total: 5, last_page: 3 })
        expect(links.prev === null).toBe(number === 1)
        if (links.prev !== null) expect(new URL(links.prev).searchParams.get("page")).toBe(String(number - 1))
        if (links.next === null) break
        for (const [name, value] of Object.entries({ ...query, per_page: "2" })) {
          expect(new URL(links.next).searchParams.get(name)).toBe(value)
        }
        answer = await api.follow(links.next)
      }
      expect(names).toEqual(["a", "b", "c", "d", "e"])
    })
    proves(`Pagination · page · ${path} · per_page is 25 by default, 1 to 100, page from 1`, async (world) => {
      const { api } = await shelf(world)
      expect(page(await api.get(path), schema).meta.per_page).toBe(25)
      for (const most of [1, 100])
        expect(page(await api.get(path, { per_page: most }), schema).meta.per_page).toBe(most)
      for (const wrong of ["0", "101", "-5", "ten", "1.5"]) {
        expect(wrongFields(await api.get(path, { per_page: wrong }))).toEqual(["per_page"])
      }
      for (const wrong of ["0", "-1", "first"])
        expect(wrongFields(await api.get(path, { page: wrong }))).toEqual(["page"])
    })
    proves(
      `Pagination · page · ${path} · a page past the end is empty, and an empty list has one page`,
      async (world) => {
        const { api } = await shelf(world)
        const past = page(await api.get(path, { page: 9, per_page: 2 }), schema)
        expect(past.data).toEqual([])
        expect(past.meta).toEqual({ current_page: 9, per_page: 2, total: 5, last_page: 3 })
        expect(past.links.next).toBeNull()
        const empty = page(await (await bare(world)).app.api.get(path), schema)
        expect(empty.meta).toEqual({ current_page: 1, per_page: 25, total: 0, last_page: 1 })
        expect(empty.links).toEqual({ next: null, prev: null })
      }
    )
  }

  const cursors = [
    ["/conversations", Conversation, 5],
    ["/conversations/{id}/messages", Message, 5]
  ] as const
  for (const [path, schema, total] of cursors) {
    proves(`Pagination · cursor · ${path} · links.next leads through all items once`, async (world) => {
      const { api, conversation } = await shelf(world)
      const at = path.replace("{id}", conversation)
      const whole = cursorPage(await api.get(at), schema as Schema.Schema<any, any>).data
      expect(whole).toHaveLength(total)
      for (const limit of [1, 2, 5, 100])
        expect(await readAllPages(api, `${at}?limit=${limit}`, schema as any)).toEqual(whole)
    })
    proves(`Pagination · cursor · ${path} · limit is 25 by default, 1 to 100`, async (world) => {
      const { api, conversation } = await shelf(world)
      const at = path.replace("{id}", conversation)
      const perPage = async (query: object) =>
        cursorPage(await api.get(at, query as never), schema as Schema.Schema<any, any>).meta.per_page
      expect([await perPage({}), await perPage({ limit: 1 }), await perPage({ limit: 100 })]).toEqual([25, 1, 100])
      for (const wrong of ["0", "101", "-1", "1.5", "all"]) {
        expect(wrongFields(await api.get(at, { limit: wrong }))).toEqual(["limit"])
      }
    })
    proves(`Pagination · cursor · ${path} · an unreadable one is 422, limit may change`, async (world) => {
      const { api, conversation } = await shelf(world)
      const at = path.replace("{id}", conversation)
      const { links } = cursorPage(await api.get(at, { limit: 2 }), schema as Schema.Schema<any, any>)
      const cursor = new URL(String(links.next)).searchParams.get("cursor") as string
      const rest = cursorPage(await api.get(at, { limit: 100, cursor }), schema as Schema.Schema<any, any>)
      expect([rest.data.length, rest.meta.has_more]).toEqual([3, false])
      for (const wrong of ["none", cursor.slice(0, -3), `${cursor}x`, "AAAA"]) {
        expect(wrongFields(await api.get(at, { cursor: wrong })), wrong).toEqual(["cursor"])
      }
    })
  }

  proves("Pagination · cursor · with other filters, or of another list, is refused", async (world) => {
    const { api, conversation, connections } = await shelf(world)
    const next = async (path: string) =>
      new URL(String(cursorPage(await api.get(path), Message as Schema.Schema<any, any>).links.next)).searchParams.get(
        "cursor"
      ) as string
    const list = cursorPage(await api.get("/conversations", { limit: 1, status: "open" }), Conversation)
    const cursor = new URL(String(list.links.next)).searchParams.get("cursor") as string
    cursorPage(await api.get("/conversations", { status: "open", cursor }), Conversation)
    const contact_id = list.data[0]?.contact_id as string
    for (const query of [
      { cursor },
      { cursor, status: "closed" },
      { cursor, status: "open", connection_id: connections.telegram },
      { cursor, status: "open", contact_id }
    ]) {
      expect(wrongFields(await api.get("/conversations", query))).toEqual(["cursor"])
    }
    const ofMessages = await next(`/conversations/${conversation}/messages?limit=1`)
    expect(wrongFields(await api.get("/conversations", { cursor: ofMessages }))).toEqual(["cursor"])
    const other = cursorPage(await api.get("/conversations", { limit: 100 }), Conversation).data.find(
      ({ id }) => id !== conversation
    )
    expect(wrongFields(await api.get(`/conversations/${other?.id}/messages`, { cursor: ofMessages }))).toEqual([
      "cursor"
    ])
  })
  proves("Pagination · cursor · new rows cause no repeats and no gaps", async (world) => {
    const tenant = await world.tenant(["telegram"])
    const { api } = tenant.app
    const from = freshHandle("telegram")
    const write = (body: string) => tenant.inbound(tenant.connections.telegram, from, body)
    const { conversation_id } = await write("1")
    for (const body of ["2", "3", "4"]) await write(body)
    const path = `/conversations/${conversation_id}/messages`
    const first = cursorPage(await api.get(path, { limit: 2 }), Message)
    const reply = { channel: "telegram", to: from, type: "text", message: { body: "5" } }
    resource(await api.post("/messages", reply), 202, SendAcknowledgement)
    await write("6")
    const second = cursorPage(await api.follow(String(first.links.next)), Message)
    expect([...first.data, ...second.data].map(({ body }) => body)).toEqual(["4", "3", "2", "1"])
    expect(second.meta.has_more).toBe(false)
  })
}
