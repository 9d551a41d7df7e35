import {
  type Contact,
  type ContactFilter,
  type Conversation,
  type ConversationFilter,
  type ConversationStatus,
  changes,
  expect as expects,
  type Ids,
  lookup,
  remove,
  row,
  type Storage,
  set
} from "@parley/core"
import { Effect, FastCheck as fc } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

const byText = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const byName = (one: Contact, other: Contact) => byText(one.nameKey, other.nameKey) || byText(one.id, other.id)

/** What the filter means, in a few words. */
const matches = (contact: Contact, filter: ContactFilter): boolean =>
  contact.workspaceId === filter.workspaceId &&
  (filter.search === null || contact.searchKey.includes(filter.search)) &&
  (filter.lifecycleStage === null || contact.lifecycleStage === filter.lifecycleStage) &&
  (filter.tag === null || contact.tags.includes(filter.tag)) &&
  (filter.channel === null || contact.identities.some(({ channel }) => channel === filter.channel)) &&
  (filter.createdAfter === null || contact.createdAt > filter.createdAfter)

const insert = (storage: Storage, workspaceId: string, contacts: ReadonlyArray<Contact>) =>
  storage.commit(changes(workspaceId, { inserts: contacts.map((contact) => row("contacts", contact)) }))

/** A contact with this name, which finds it. */
const named = (ids: Ids, workspaceId: string, nameKey: string, more: Partial<Contact> = {}): Contact =>
  Rows.aContact({ id: ids.next(1), workspaceId, nameKey, searchKey: nameKey, ...more })

const handles = (...channels: ReadonlyArray<Contact["identities"][number]["channel"]>): Contact["identities"] =>
  channels.map((channel, n) => ({ channel, handle: `${channel} ${n}`, displayName: null }))

/** Lists are sorted, complete and exact. */
export const listContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("lists", database, options, (test) => {
    test("orders contacts by the code points of their names, then by id, and counts them on every page", ({
      one
    }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const names = ["b", "a", "a", "ab", "a b", "a-b", "é", "z", "Z", "～", "💐", "я", "", "1", "_", "a"]
        const made = names.map((name) => named(ids, workspaceId, name))
        yield* insert(one, workspaceId, made)
        const ordered = [...made].sort(byName)
        const filter = Rows.everyContact(workspaceId)
        for (const [offset, limit] of [
          [0, 100],
          [0, 3],
          [3, 3],
          [15, 3],
          [16, 3],
          [1_000_000, 3]
        ] as const) {
          expect(yield* one.listContacts(filter, { offset, limit })).toEqual({
            rows: ordered.slice(offset, offset + limit),
            total: made.length
          })
        }
      }))

    test("combines all filters of contacts, within the workspace", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, foreignId] = [ids.next(1), ids.next(1)]
        const made = Array.from({ length: 96 }, (_, n) =>
          named(ids, n % 8 === 7 ? foreignId : workspaceId, `name ${n % 5}`, {
            searchKey: n % 3 === 0 ? `ada byron +4915${n}` : `bob +4915${n}`,
            lifecycleStage: n % 4 === 0 ? "customer" : "lead",
            tags: [...(n % 2 === 0 ? ["VIP"] : []), ...(n % 5 === 0 ? ["new"] : [])],
            identities: n % 7 === 0 ? handles("email") : handles("whatsapp", "phone"),
            createdAt: Rows.someTime + (n % 6)
          })
        )
        yield* insert(one, workspaceId, made)
        for (const search of [null, "byron", "ob", "491"]) {
          for (const lifecycleStage of [null, "customer"] as const) {
            for (const tag of [null, "VIP", "vip"]) {
              for (const channel of [null, "phone", "telegram"]) {
                for (const createdAfter of [null, Rows.someTime + 3]) {
                  const filter = { workspaceId, search, searchAlso: null, lifecycleStage, tag, channel, createdAfter }
                  const wanted = made.filter((contact) => matches(contact, filter)).sort(byName)
                  const found = yield* one.listContacts(filter, { offset: 1, limit: 5 })
                  expect([filter, found]).toEqual([filter, { rows: wanted.slice(1, 6), total: wanted.length }])
                }
              }
            }
          }
        }
      }))

    test("searches every character literally", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const keys = [
          "100% wool",
          "100 wool",
          "a_b_c",
          "axbxc",
          "it's",
          '"ann" or',
          "back\\slash",
          "a*b",
          "北京市 я",
          "x\ny"
        ]
        yield* insert(
          one,
          workspaceId,
          keys.map((key) => named(ids, workspaceId, key))
        )
        const texts = [
          "0%",
          "100% w",
          "%",
          "_",
          "_b_",
          "'",
          "it's",
          '"',
          '"ann"',
          "\\",
          "back\\s",
          "*",
          "a*b",
          "北京",
          "北京市",
          "\n",
          "x\ny",
          "ann or",
          "b c",
          "w",
          "ool"
        ]
        for (const search of texts) {
          const { rows, total } = yield* one.listContacts(
            { ...Rows.everyContact(workspaceId), search },
            { offset: 0, limit: 100 }
          )
          const wanted = keys.filter((key) => key.includes(search)).sort(byText)
          expect([search, rows.map(({ searchKey }) => searchKey), total]).toEqual([search, wanted, wanted.length])
        }
      }))

    test("lists the longest names and tags", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        // All characters differ, so that compression cannot shorten the text.
        const text = (length: number) => String.fromCodePoint(...Array.from({ length }, (_, n) => 0x20000 + n * 131))
        const contact = named(ids, workspaceId, text(255), { tags: [text(100)], searchKey: text(900) })
        yield* insert(one, workspaceId, [contact])
        const filter = { ...Rows.everyContact(workspaceId), tag: text(100), search: text(255) }
        expect(yield* one.listContacts(filter, { offset: 0, limit: 9 })).toEqual({ rows: [contact], total: 1 })
      }))

    test("finds nothing by impossible values", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        yield* insert(one, workspaceId, [named(ids, workspaceId, "ada")])
        const filter = Rows.everyContact(workspaceId)
        const impossible = [
          { ...filter, workspaceId: "none" },
          { ...filter, search: "a\u0000" },
          { ...filter, tag: "\u0000" },
          { ...filter, channel: "\u0000" }
        ]
        for (const filter of impossible) {
          expect(yield* one.listContacts(filter, { offset: 0, limit: 9 })).toEqual({ rows: [], total: 0 })
        }
        const conversations = { connectionIds: ["none"], contactId: null, status: null }
        expect(yield* one.listConversations(conversations, null, 9)).toEqual([])
      }))

    test("counts a contact once that has several identities of a channel, or a duplicate tag", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const contact = named(ids, workspaceId, "ada", {
          identities: handles("email", "phone", "email"),
          tags: ["VIP", "new", "VIP"]
        })
        yield* insert(one, workspaceId, [contact, named(ids, workspaceId, "bob", { identities: handles("phone") })])
        for (const filter of [{ channel: "email" }, { tag: "VIP" }, { tag: "VIP", channel: "email" }]) {
          expect(
            yield* one.listContacts({ ...Rows.everyContact(workspaceId), ...filter }, { offset: 0, limit: 9 })
          ).toEqual({ rows: [contact], total: 1 })
        }
      }))

    test("shows changes of a contact at once", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const first = named(ids, workspaceId, "ada", { tags: ["VIP", "new"], identities: handles("email") })
        const second = named(ids, workspaceId, "bob", { tags: ["VIP"], identities: handles("phone") })
        yield* insert(one, workspaceId, [first, second])
        const list = (filter: Partial<ContactFilter>) =>
          Effect.map(
            other.listContacts({ ...Rows.everyContact(workspaceId), ...filter }, { offset: 0, limit: 9 }),
            ({ rows, total }) => [total, ...rows.map(({ nameKey }) => nameKey)]
          )
        const change = (parts: Parameters<typeof changes>[1]) =>
          one.commit(changes(workspaceId, { expects: [expects("contacts", { id: first.id })] }, parts ?? {}))
        const put = (values: Partial<Contact>) => change({ sets: [set("contacts", { id: first.id }, values)] })

        yield* put({ tags: ["new", "gone"] })
        expect([yield* list({ tag: "VIP" }), yield* list({ tag: "new" }), yield* list({ tag: "gone" })]).toEqual([
          [1, "bob"],
          [1, "ada"],
          [1, "ada"]
        ])
        yield* put({ identities: handles("phone", "telegram") })
        expect([yield* list({ channel: "email" }), yield* list({ channel: "phone" })]).toEqual([[0], [2, "ada", "bob"]])
        yield* put({ nameKey: "zoe", searchKey: "zoe byron" })
        expect([yield* list({}), yield* list({ tag: "new" }), yield* list({ channel: "phone" })]).toEqual([
          [2, "bob", "zoe"],
          [1, "zoe"],
          [2, "bob", "zoe"]
        ])
        expect([yield* list({ search: "ada" }), yield* list({ search: "byr" })]).toEqual([[0], [1, "zoe"]])
        expect(yield* list({ search: "ada", searchAlso: "byr" })).toEqual([1, "zoe"])
        yield* put({ lifecycleStage: "customer" })
        expect([yield* list({ lifecycleStage: "lead" }), yield* list({ lifecycleStage: "customer" })]).toEqual([
          [1, "bob"],
          [1, "zoe"]
        ])
        yield* change({ bumps: [{ table: "contacts", id: first.id, greatest: { lastActivityAt: 9 ** 15 } }] })
        expect(yield* list({ tag: "new", channel: "phone", search: "zoe" })).toEqual([1, "zoe"])
        yield* change({ deletes: [remove("contacts", { id: first.id })] })
        expect([yield* list({}), yield* list({ tag: "new" }), yield* list({ search: "zoe" })]).toEqual([
          [1, "bob"],
          [0],
          [0]
        ])
      }))

    test("counts exactly after many commits of two hosts, without those that lost", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const made = Array.from({ length: 300 }, (_, n) =>
          named(ids, workspaceId, `name ${n}`, { tags: n % 2 === 0 ? ["even"] : ["odd"] })
        )
        const winners = made.map((contact, n) => insert(n % 3 === 0 ? other : one, workspaceId, [contact]))
        const losers = made.map((contact) =>
          other.commit(
            changes(workspaceId, {
              expects: [expects("contacts", { id: ids.next(1) })],
              inserts: [row("contacts", { ...contact, id: ids.next(1) })]
            })
          )
        )
        yield* Effect.all([...winners, ...losers], { concurrency: "unbounded" })
        // One after the other, so that each is a separate change.
        for (const [n, { id }] of made.slice(0, 200).entries()) {
          yield* (n % 2 === 0 ? one : other).commit(
            changes(workspaceId, {
              expects: [expects("contacts", { id })],
              sets: [set("contacts", { id }, { tags: ["first"] })]
            })
          )
        }
        const totals = yield* Effect.forEach([null, "even", "odd", "first"], (tag) =>
          Effect.map(
            one.listContacts({ ...Rows.everyContact(workspaceId), tag }, { offset: 0, limit: 1 }),
            ({ total }) => total
          )
        )
        expect(totals).toEqual([300, 50, 50, 200])
      }))

    test("keeps lists, counts and search texts consistent with the contacts under concurrent changes of two hosts", ({
      one,
      other
    }, ids) =>
      Effect.promise(() => {
        const nth = fc.nat(5)
        const values = fc.record(
          {
            nameKey: fc.constantFrom("ada", "bob", "zoe"),
            searchKey: fc.constantFrom("ada byron", "bob byron", "zoe"),
            lifecycleStage: fc.constantFrom("lead", "customer"),
            tags: fc.array(fc.constantFrom("VIP", "new", "old"), { maxLength: 3 }),
            identities: fc
              .array(fc.constantFrom("email" as const, "phone" as const), { maxLength: 3 })
              .map((channels) => handles(...channels)),
            company: fc.constantFrom("Acme", null)
          },
          { requiredKeys: [] }
        )
        const step = fc.oneof(
          { weight: 4, arbitrary: fc.record({ what: fc.constant("set"), nth, other: nth, values }) },
          {
            weight: 1,
            arbitrary: fc.record({ what: fc.constantFrom("merge", "erase", "bump"), nth, other: nth, values })
          }
        )
        const run = (steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer S> ? S : never>) =>
          Effect.gen(function* () {
            const workspaceId = ids.next(1)
            const made = Array.from({ length: 6 }, (_, n) =>
              named(ids, workspaceId, `name ${n}`, { tags: n % 2 === 0 ? ["VIP"] : [], identities: handles("phone") })
            )
            yield* insert(one, workspaceId, made)
            const partsOf = ({ nth, other, values, what }: (typeof steps)[number]): Parameters<typeof changes>[1] => {
              const [key, gone] = [{ id: made[nth]?.id ?? "" }, { id: made[other]?.id ?? "" }]
              const expected = [expects("contacts", key)]
              const sets = [set("contacts", key, values as Partial<Contact>)]
              const bumps = [{ table: "contacts" as const, id: key.id, greatest: { lastActivityAt: 9 ** 15 } }]
              if (what === "erase") return { expects: expected, deletes: [remove("contacts", key)] }
              if (what === "bump") return { expects: expected, bumps }
              if (what === "set" || nth === other) return { expects: expected, sets, bumps }
              return { expects: [...expected, expects("contacts", gone)], sets, deletes: [remove("contacts", gone)] }
            }
            yield* Effect.forEach(
              steps,
              (step, n) => (n % 3 === 0 ? other : one).commit(changes(workspaceId, partsOf(step) ?? {})),
              { concurrency: "unbounded" }
            )
            const found = yield* Effect.forEach(made, ({ id }) => other.read({ found: lookup("contacts", { id }) }))
            const left = found.flatMap(({ found }) => found)
            const filters: ReadonlyArray<Partial<ContactFilter>> = [
              {},
              ...["VIP", "new", "old"].flatMap((tag) => [{ tag }, { tag, channel: "email" }]),
              ...["email", "phone"].map((channel) => ({ channel })),
              ...(["lead", "customer"] as const).map((lifecycleStage) => ({ lifecycleStage })),
              ...["ada", "byron", "name"].map((search) => ({ search }))
            ]
            for (const some of filters) {
              const filter = { ...Rows.everyContact(workspaceId), ...some }
              const wanted = left.filter((contact) => matches(contact, filter)).sort(byName)
              const listed = yield* one.listContacts(filter, { offset: 0, limit: 9 })
              expect([some, listed]).toEqual([some, { rows: wanted, total: wanted.length }])
            }
          })
        return fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), (steps) => Effect.runPromise(run(steps))),
          { numRuns: 15 }
        )
      }))

    test("orders templates by name, then by id, and filters them", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const made = ["order_b", "order_a", "Order_c", "éclair"].flatMap((name, n) =>
          ["en", "de"].map((language) =>
            Rows.aTemplate({
              id: ids.next(1),
              workspaceId,
              name,
              language,
              status: n % 2 === 0 ? "approved" : "pending"
            })
          )
        )
        const foreign = Rows.aTemplate({ id: ids.next(1), workspaceId: ids.next(1) })
        yield* one.commit(
          changes(workspaceId, { inserts: [...made, foreign].map((template) => row("templates", template)) })
        )
        const ordered = [...made].sort((a, b) => byText(a.name, b.name) || byText(a.id, b.id))
        for (const language of [null, "de", "fr"]) {
          for (const status of [null, "approved"] as const) {
            const wanted = ordered.filter(
              (template) =>
                (language === null || template.language === language) && (status === null || template.status === status)
            )
            for (const offset of [0, 1, 99]) {
              expect(yield* one.listTemplates({ workspaceId, language, status }, { offset, limit: 3 })).toEqual({
                rows: wanted.slice(offset, offset + 3),
                total: wanted.length
              })
            }
          }
        }
      }))

    test("pages through conversations without gaps or repeats, many with the same time", ({ one }, ids) =>
      Effect.promise(() => {
        const times = fc.array(fc.tuple(fc.nat(3), fc.nat(2), fc.nat(1), fc.nat(2)), { minLength: 1, maxLength: 40 })
        const statuses: ReadonlyArray<ConversationStatus> = ["open", "pending", "resolved", "closed"]
        const readAllPages = (
          given: ReadonlyArray<readonly [status: number, connection: number, contact: number, time: number]>,
          connections: number,
          limit: number
        ) =>
          Effect.gen(function* () {
            const workspaceId = ids.next(1)
            const [connectionIds, contactIds, agentIds] = [1, 2, 3].map(() =>
              Array.from({ length: 4 }, () => ids.next(1))
            )
            const made = given.map(([status, connection, contact, time], n) =>
              Rows.aConversation({
                id: ids.next(1),
                workspaceId,
                handle: `${n}`,
                connectionId: connectionIds?.[connection] ?? "",
                contactId: contactIds?.[contact] ?? "",
                assignedUserId: agentIds?.[contact] ?? null,
                assignedTeamId: agentIds?.[connection] ?? null,
                status: statuses[status] ?? "open",
                lastActivityAt: Rows.someTime + time
              })
            )
            yield* one.commit(changes(workspaceId, { inserts: made.map((each) => row("conversations", each)) }))
            const newest = [...made].sort((a, b) => b.lastActivityAt - a.lastActivityAt || byText(b.id, a.id))
            for (const contactId of [null, contactIds?.[0] ?? null]) {
              for (const status of [null, "pending"] as const) {
                const some = (connectionIds ?? []).slice(0, connections)
                const [agentId = ""] = agentIds ?? []
                const filters: ReadonlyArray<ConversationFilter> = [
                  { connectionIds: some, contactId, status },
                  { connectionIds: some, contactId, status, workspaceId, assignedUserId: agentId },
                  { connectionIds: null, contactId, status, assignedUserId: agentId },
                  { connectionIds: some, contactId, status, assignedUserId: null },
                  { connectionIds: null, contactId, status, assignedUserId: null, assignedTeamId: agentId },
                  { connectionIds: null, contactId, status, assignedTeamId: agentId },
                  { connectionIds: null, contactId, status, workspaceId: agentId, assignedTeamId: agentId },
                  ...(contactId === null ? [] : [{ connectionIds: null, contactId, status }])
                ]
                for (const filter of filters) {
                  const wanted = newest.filter(
                    (each) =>
                      filter.connectionIds?.includes(each.connectionId) !== false &&
                      (contactId === null || each.contactId === contactId) &&
                      (status === null || each.status === status) &&
                      [each.workspaceId, undefined].includes(filter.workspaceId) &&
                      [each.assignedUserId, undefined].includes(filter.assignedUserId) &&
                      [each.assignedTeamId, undefined].includes(filter.assignedTeamId)
                  )
                  const walked: Array<Conversation> = []
                  for (;;) {
                    const page = yield* one.listConversations(filter, walked.at(-1) ?? null, limit)
                    walked.push(...page)
                    if (page.length < limit) break
                  }
                  expect(walked).toEqual(wanted)
                }
              }
            }
          })
        return fc.assert(
          fc.asyncProperty(times, fc.nat(4), fc.integer({ min: 1, max: 7 }), (given, connections, limit) =>
            Effect.runPromise(readAllPages(given, connections, limit))
          ),
          { numRuns: 15 }
        )
      }))

    test("moves a conversation to the top with its last activity", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, connectionId] = [ids.next(1), ids.next(1)]
        const made = ["1", "2", "3"].map((handle, n) =>
          Rows.aConversation({ id: ids.next(1), workspaceId, connectionId, handle, lastActivityAt: 10 + n })
        )
        yield* one.commit(changes(workspaceId, { inserts: made.map((each) => row("conversations", each)) }))
        const [first] = made as [Conversation]
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("conversations", { id: first.id })],
            bumps: [{ table: "conversations", id: first.id, greatest: { lastActivityAt: 99 } }]
          })
        )
        const listed = (status: ConversationStatus | null) =>
          Effect.map(
            one.listConversations({ connectionIds: [connectionId, connectionId], contactId: null, status }, null, 9),
            (rows) => rows.map(({ handle }) => handle)
          )
        expect(yield* listed(null)).toEqual(["1", "3", "2"])
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("conversations", { id: first.id })],
            sets: [set("conversations", { id: first.id }, { status: "resolved" })]
          })
        )
        expect([yield* listed("open"), yield* listed("resolved"), yield* listed(null)]).toEqual([
          ["3", "2"],
          ["1"],
          ["1", "3", "2"]
        ])
      }))
    test("lists the deliveries that wait in an order by their events, the oldest first", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, endpointId, orderKey, otherKey] = [ids.next(1), ids.next(1), ids.next(1), ids.next(1)]
        const events = [1, 2, 3, 4, 5].map(() => ids.next(1))
        const made = [3, 0, 4, 1].map((event) =>
          Rows.aDelivery({
            id: ids.next(1),
            workspaceId,
            endpointId,
            eventId: events[event] ?? "",
            orderKey,
            orderState: "waiting"
          })
        )
        const others = [
          { orderKey, orderState: "followed" as const },
          { orderKey: otherKey, orderState: "waiting" as const },
          { orderKey: null, orderState: null }
        ].map((order) =>
          Rows.aDelivery({ id: ids.next(1), workspaceId, endpointId, eventId: events[2] ?? "", ...order })
        )
        yield* one.commit(
          changes(workspaceId, { inserts: [...made, ...others].map((delivery) => row("deliveries", delivery)) })
        )
        const listed = (after: string | null, limit: number) =>
          Effect.map(
            one.list({
              from: "deliveries",
              where: { endpointId, orderKey, orderState: "waiting" },
              oldestFirstBy: "eventId",
              after,
              limit
            }),
            (found) => found.map(({ eventId }) => events.indexOf(eventId))
          )
        expect(yield* listed(null, 9)).toEqual([0, 1, 3, 4])
        expect(yield* listed(null, 2)).toEqual([0, 1])
        expect(yield* listed(events[1] ?? "", 9)).toEqual([3, 4])
        const { found } = yield* one.read({
          found: lookup("deliveries", { endpointId, orderKey, orderState: "followed", status: "pending" })
        })
        expect(found).toEqual([others[0]])
      }))

    test("lists the rows with a value in a column", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const error = { code: "internal_error", message: "Gone." } as const
        const made = [null, error, null, error, error].map((error) =>
          Rows.aMessage({ id: ids.next(1), workspaceId, status: error === null ? "sent" : "failed", error })
        )
        yield* one.commit(changes(workspaceId, { inserts: made.map((message) => row("messages", message)) }))
        const page = { from: "messages", where: { workspaceId }, notNull: "error", limit: 2 } as const
        expect(yield* one.list({ ...page, after: null })).toEqual([made[4], made[3]])
        expect(yield* one.list({ ...page, after: made[3]?.id ?? "" })).toEqual([made[1]])
        expect(yield* one.listColumns({ ...page, after: null, limit: 9 }, ["id"])).toHaveLength(3)
      }))

    test("lists the jobs of a lane by due time", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, other] = [ids.next(1), ids.next(1)]
        const jobs = [
          { runAt: 5, leaseUntil: 0 },
          { runAt: 3, leaseUntil: 9 },
          { runAt: 5, leaseUntil: 0 },
          { runAt: 4, leaseUntil: 0 }
        ].map((times) => Rows.aJob({ id: ids.next(1), workspaceId, lane: "receipts", ...times }))
        const others = [
          Rows.aJob({ id: ids.next(1), workspaceId, lane: "calls", runAt: 1 }),
          Rows.aJob({ id: ids.next(1), workspaceId: other, lane: "receipts", runAt: 1 })
        ]
        yield* one.commit(changes(workspaceId, { inserts: [...jobs, ...others].map((job) => row("jobs", job)) }))
        const [first, second, third, fourth] = jobs.map(({ id }) => id)
        const filter = { lane: "receipts", workspaceId } as const
        const listed = (after: { readonly dueAt: number; readonly id: string } | null, limit: number) =>
          Effect.map(one.listJobs(filter, after, limit), (found) => found.map(({ id }) => id))
        expect(yield* listed(null, 9)).toEqual([fourth, first, third, second])
        expect(yield* listed(null, 2)).toEqual([fourth, first])
        expect(yield* listed({ dueAt: 5, id: first ?? "" }, 9)).toEqual([third, second])
        expect(yield* listed({ dueAt: 9, id: second ?? "" }, 9)).toEqual([])
        const all = yield* one.listJobs({ ...filter, workspaceId: null }, null, 9)
        expect(all[0]?.id).toBe(others[1]?.id)
      }))
  })
