import { expect, it } from "@effect/vitest"
import { changes, row, Storage } from "@parley/core"
import { layer, migrate, type PostgresOptions, recountContacts } from "@parley/postgres"
import { makeTestIds } from "@parley/testkit"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { aContact, everyContact } from "@parley/testkit/rows"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { inject } from "vitest"
import { setForSession } from "../src/sessionSettings.js"
import { foreignConnection } from "./foreignConnection.js"
import { foreignRole } from "./foreignRole.js"

/** A role that owns the schema `parley` and has no other rights in the database. */
const ownerOfSchema = Effect.gen(function* () {
  const role = yield* foreignRole(inject("postgresUrl"))
  const own = yield* freshPostgres
  yield* adminQuery(own, `CREATE SCHEMA parley AUTHORIZATION ${role.name}`)
  return { own, role: role.name, url: role.at(own) }
})

const inParley = (url: string): PostgresOptions => ({ url: Redacted.make(url), schema: "parley" })

/** Opens the storage. Returns it with the warnings that it logged. */
const open = (options: PostgresOptions) =>
  Effect.gen(function* () {
    const warnings: Array<string> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ logLevel, message }) => void (logLevel._tag === "Warning" && warnings.push(`${message}`)))
    )
    const built = yield* Effect.provide(Layer.build(Layer.fresh(layer(options))), logger)
    return { storage: Context.get(built, Storage), warnings }
  })

const indexesOf = (own: string) =>
  Effect.map(
    adminQuery(
      own,
      "SELECT indexdef FROM pg_indexes WHERE schemaname = 'parley' AND tablename = 'contact_search' AND indexname LIKE 'contact_search_workspace%'"
    ),
    (rows) => rows.map(({ indexdef }) => indexdef.replace(/^.* USING /, ""))
  )

/** Postgres leaves out a schema of its own path. */
const gin = (schema: string) =>
  expect.stringMatching(new RegExp(`^gin \\(workspace_id, search_key (${schema}\\.)?gin_trgm_ops\\)`))

/** The plan of a search in a session of Parley. */
const planOf = (url: string) =>
  Effect.gen(function* () {
    const client = yield* foreignConnection(url)
    const plan = yield* Effect.promise(async () => {
      await client.query(setForSession("parley", {}))
      const text = `EXPLAIN SELECT contact_id FROM contact_search
WHERE workspace_id = '01900000-0000-7000-8000-0000000000e1' AND search_key LIKE '%love%'`
      return (await client.query({ text, rowMode: "array" })).rows
    })
    return plan.flat().join("\n")
  })

/** Finds a new contact by parts of its name. */
const finds = (storage: Storage) =>
  Effect.gen(function* () {
    const ids = makeTestIds(31)
    const workspaceId = ids.next(1)
    const contact = aContact({ id: ids.next(1), workspaceId, searchKey: "ada lovelace 100%" })
    yield* storage.commit(changes(workspaceId, { inserts: [row("contacts", contact)] }))
    for (const [search, total] of [
      ["lovel", 1],
      ["lo", 1],
      ["100%", 1],
      ["other", 0]
    ] as const) {
      const filter = everyContact(workspaceId, { search })
      const page = yield* storage.listContacts(filter, { offset: 0, limit: 10 })
      expect([search, page.total]).toEqual([search, total])
    }
  })

it.scopedLive("uses the extensions in the schema where they are", () =>
  Effect.gen(function* () {
    const { own, role, url } = yield* ownerOfSchema
    yield* adminQuery(
      own,
      `CREATE SCHEMA tools; CREATE EXTENSION pg_trgm SCHEMA tools; CREATE EXTENSION btree_gin SCHEMA tools; GRANT USAGE ON SCHEMA tools TO ${role}`
    )
    const { storage, warnings } = yield* open(inParley(url))
    expect(warnings).toEqual([])
    expect(yield* indexesOf(own)).toEqual([gin("tools")])
    expect(yield* planOf(url)).toContain("Bitmap Index Scan on contact_search_workspace_id_search_key")
    expect((yield* storage.check).searchIsIndexed).toBe(true)
    yield* finds(storage)
  })
)

it.scopedLive("searches without the extensions, says so, and uses them after a recount", () =>
  Effect.gen(function* () {
    const { own, url } = yield* ownerOfSchema
    const { storage, warnings } = yield* open(inParley(url))
    expect(warnings).toEqual([expect.stringMatching(/extensions pg_trgm and btree_gin .* Run, as a superuser: /)])
    expect(yield* indexesOf(own)).toEqual(["btree (workspace_id)"])
    expect(yield* planOf(url)).toContain("contact_search_workspace_id")
    expect((yield* storage.check).searchIsIndexed).toBe(false)
    yield* finds(storage)

    const commands = /superuser: (.*) Then: parley contact recount/.exec(warnings[0] ?? "")?.[1] ?? ""
    yield* adminQuery(own, commands)
    // A start changes no indexes of a migrated database.
    expect((yield* open(inParley(url))).warnings).toHaveLength(1)
    expect(yield* recountContacts(inParley(url))).toEqual({ wrongCounts: 0 })
    expect(yield* indexesOf(own)).toEqual([gin("public")])
    expect((yield* open(inParley(url))).warnings).toEqual([])
    expect((yield* storage.check).searchIsIndexed).toBe(true)
  })
)

it.scopedLive("does without extensions in a schema that the role may not use", () =>
  Effect.gen(function* () {
    const { own, url } = yield* ownerOfSchema
    yield* adminQuery(
      own,
      "CREATE SCHEMA tools; CREATE EXTENSION pg_trgm SCHEMA tools; CREATE EXTENSION btree_gin SCHEMA tools"
    )
    expect((yield* open(inParley(url))).warnings).toHaveLength(1)
    expect(yield* indexesOf(own)).toEqual(["btree (workspace_id)"])
  })
)

it.scopedLive("creates the extensions in the schema of the tables where there is no public", () =>
  Effect.gen(function* () {
    const own = yield* freshPostgres
    yield* adminQuery(own, "DROP SCHEMA public")
    yield* migrate(inParley(own))
    expect(yield* indexesOf(own)).toEqual([gin("parley")])
  })
)
