import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { outcomeOf, parley, serveDemo, temporaryFolder } from "../processes.js"
import { until } from "../until.js"
import { runParley } from "./runParley.js"

/** The demo, a folder of one's own, and what runs commands on them. */
const start = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const { demo } = yield* serveDemo(folder)
  const target = ["--server", demo.base_url, "--token", demo.admin_token]
  const run = (...message: ReadonlyArray<string>) => runParley(["contact", ...message, ...target, "--json"])
  const json = (...message: ReadonlyArray<string>) =>
    Effect.map(runParley([...message, ...target, "--json"]), ({ code, errors, output }) => {
      expect([message, code, errors]).toEqual([message, 0, ""])
      return JSON.parse(output)
    })
  const newWorkspace = Effect.map(json("workspace", "create", "Bakery"), ({ id }): string => id)
  const file = (name: string, text: string) =>
    Effect.promise(async () => {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    })
  const contactsOf = (workspace: string) =>
    Effect.gen(function* () {
      const output = join(folder, "out.ndjson")
      yield* run("export", "--workspace", workspace, "--output", output)
      const text = yield* Effect.promise(() => readFile(output, "utf8"))
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    })
  return { contactsOf, demo, file, folder, json, newWorkspace, run }
})

describe("the commands of contacts", () => {
  it.scopedLive(
    "create, find, change, merge and erase them",
    () =>
      Effect.gen(function* () {
        const { json, newWorkspace, run } = yield* start
        const workspace = yield* newWorkspace
        const into = ["--workspace", workspace]
        const ada = yield* json("contact", "create", "--first-name", "Ada", "--email", "ada@example.org", ...into)
        const also = yield* json("contact", "create", "--phone", "+49 170 1234567", "--tags", "vip, new", ...into)
        expect(also).toMatchObject({ workspace_id: workspace, phone: "+491701234567", tags: ["vip", "new"] })
        expect(yield* json("contact", "show", ada.id)).toEqual(ada)
        expect(yield* json("contact", "list", "--handle", "ADA@example.org", ...into)).toMatchObject({ id: ada.id })
        expect(yield* json("contact", "search", "ADA", ...into)).toMatchObject({ id: ada.id })
        expect(yield* json("contact", "search", "--tag", "vip", ...into)).toMatchObject({ id: also.id })
        expect(yield* json("contact", "update", ada.id, "--opted-out", "yes", "--stage", "customer")).toMatchObject({
          opted_out: true,
          lifecycle_stage: "customer"
        })
        expect(yield* run("update", ada.id, "--phone", "+491701234567")).toMatchObject({
          code: 1,
          errors: expect.stringContaining(also.id)
        })
        expect(yield* run("merge", ada.id, also.id)).toMatchObject({
          code: 2,
          errors: expect.stringContaining("Give --yes to confirm.")
        })
        expect(yield* json("contact", "merge", ada.id, also.id, "--yes")).toMatchObject({
          id: ada.id,
          phone: "+491701234567",
          tags: ["vip", "new"],
          opted_out: true
        })
        expect((yield* run("show", also.id)).code).toBe(1)
        const listed = yield* run("history", "+49 170 1234567", ...into, "--since", "1h")
        expect(listed).toMatchObject({ code: 0, errors: "" })
        const types = listed.output.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).type]))
        expect([types[0], types.includes("opt_out")]).toEqual(["contact_merged", true])
        expect(yield* run("history", ada.id, "--limit", "1")).toMatchObject({ code: 0 })
        expect(yield* run("history", "unknown@example.org", ...into)).toMatchObject({
          code: 1,
          errors: expect.stringContaining("has the handle unknown@example.org")
        })
        expect((yield* run("erase", ada.id)).code).toBe(2)
        expect(yield* json("contact", "erase", ada.id, "--yes")).toMatchObject({ id: ada.id, first_name: "Ada" })
        expect((yield* run("show", ada.id)).code).toBe(1)
      }),
    60_000
  )

  it.scopedLive(
    "import contacts with more fields than one call may have",
    () =>
      Effect.gen(function* () {
        const { file, json, newWorkspace } = yield* start
        const workspace = yield* newWorkspace
        const names = Array.from({ length: 90 }, (_, n) => `f${n}`)
        const fields = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
        const rows = Array.from({ length: 300 }, (_, n) => `{"email":"a${n}@b.example","custom_fields":${fields}}`)
        yield* Effect.forEach(names, (name) =>
          json("custom-field", "create", name, "--type", "number", "--workspace", workspace)
        )
        const path = yield* file("wide.ndjson", rows.join("\n"))
        expect(yield* json("contact", "import", path, "--workspace", workspace)).toMatchObject({ created: 300 })
      }),
    120_000
  )

  it.scopedLive(
    "import valid rows, report invalid ones, and import those once corrected",
    () =>
      Effect.gen(function* () {
        const { contactsOf, file, folder, json, newWorkspace, run } = yield* start
        const workspace = yield* newWorkspace
        const into = ["--workspace", workspace]
        yield* json("custom-field", "create", "size", "--type", "number", ...into)
        const path = yield* file(
          "customers.csv",
          [
            "\uFEFFemail;first_name;tags;custom_fields.size;identities.telegram;opted_out",
            "ada@example.org;Ada;vip;38;@ada;",
            "grace@example.org;Grace;;big;;true",
            "grace.example.org;Grace;;;;",
            ";;;;;",
            "alan@example.org;Alan",
            "ADA@example.org;Augusta;new;;;yes",
            "max@example.org;Max;;;;true"
          ].join("\r\n")
        )
        const rejected = join(folder, "rejected.csv")
        const refusedLines = [
          "row 3: custom_fields.size: must be a number",
          "row 4: email: must be an email address",
          "row 6: has 2 cells, but the header has 6",
          "row 7: opted_out: must be true or false",
          "4 rows were refused"
        ]
        const rehearsed = yield* run("import", path, "--dry-run", ...into)
        expect(JSON.parse(rehearsed.output)).toMatchObject({ dry_run: true, created: 2, refused: 4 })
        expect(rehearsed.errors.split("\n").sort()).toEqual([...refusedLines].sort())
        expect(rehearsed.code).toBe(1)
        expect(yield* contactsOf(workspace)).toEqual([])

        const imported = yield* run("import", path, "--errors", rejected, ...into)
        expect(imported.code).toBe(1)
        expect(JSON.parse(imported.output)).toEqual({
          dry_run: false,
          created: 2,
          updated: 0,
          unchanged: 0,
          skipped: 0,
          refused: 4
        })
        expect(yield* contactsOf(workspace)).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ email: "ada@example.org", tags: ["vip"], custom_fields: { size: 38 } }),
            expect.objectContaining({ email: "max@example.org", opted_out: true })
          ])
        )

        const text = yield* Effect.promise(() => readFile(rejected, "utf8"))
        expect(text.split("\n").slice(0, 2)).toEqual([
          "import_row,import_error,email,first_name,tags,custom_fields.size,identities.telegram,opted_out",
          '6,"has 2 cells, but the header has 6",alan@example.org,Alan'
        ])
        const right = text.replace("big", "40").replace("grace.example.org", "hopper@example.org").replace("yes", "")
        const again = yield* file("right.csv", right.replace("example.org,Alan", "example.org,Alan,,,,"))
        const updated = yield* run("import", again, "--update", ...into)
        expect([updated.errors, updated.code]).toEqual(["", 0])
        expect(JSON.parse(updated.output)).toMatchObject({ created: 3, updated: 1, refused: 0 })
        const known = yield* contactsOf(workspace)
        expect(known.find(({ email }) => email === "ada@example.org")).toMatchObject({
          first_name: "Augusta",
          tags: ["vip", "new"]
        })
        const wrong = yield* file("wrong.csv", "emails\nada@example.org\n")
        expect(yield* run("import", wrong, ...into)).toMatchObject({
          code: 1,
          errors: expect.stringContaining("Did you mean email?")
        })
        expect((yield* run("import", join(folder, "none.csv"), ...into)).errors).toContain("no such file")
      }),
    60_000
  )

  it.scopedLive(
    "export any values so that another workspace can import them",
    () =>
      Effect.gen(function* () {
        const { contactsOf, file, folder, json, newWorkspace, run } = yield* start
        const [one, ...others] = [yield* newWorkspace, yield* newWorkspace, yield* newWorkspace]
        for (const workspace of [one, ...others]) {
          yield* json("custom-field", "create", "note", "--workspace", workspace ?? "")
          yield* json("custom-field", "create", "member", "--type", "boolean", "--workspace", workspace ?? "")
        }
        const strange = [
          { email: "a@example.org", first_name: "=1+1", last_name: "'=x", company: 'A "quoted", name;\nof two lines' },
          {
            phone: "+491701234567",
            tags: ["a;b", "\\", "@x"],
            opted_out: true,
            custom_fields: { note: "-3", member: false }
          },
          {
            identities: [
              { channel: "telegram", handle: "@ada;l" },
              { channel: "email", handle: "z@example.org" }
            ]
          }
        ]
        const path = yield* file("strange.ndjson", strange.map((contact) => JSON.stringify(contact)).join("\n"))
        expect((yield* run("import", path, "--workspace", one ?? "")).code).toBe(0)
        const reported = (workspace: string) =>
          Effect.map(contactsOf(workspace), (contacts) =>
            contacts
              .map(({ id, workspace_id, created_at, last_activity_at, ...rest }) => rest)
              .sort((a, b) => (a.name < b.name ? -1 : 1))
          )
        const before = yield* reported(one ?? "")
        expect(before).toHaveLength(3)
        for (const [at, name] of ["export.csv", "export.ndjson"].entries()) {
          const output = join(folder, name)
          const workspace = others[at] ?? ""
          expect((yield* run("export", "--output", output, "--workspace", one ?? "")).code).toBe(0)
          const imported = yield* run("import", output, "--workspace", workspace)
          expect([imported.errors, imported.code]).toEqual(["", 0])
          expect(yield* reported(workspace)).toEqual(before)
        }
      }),
    60_000
  )

  it.scopedLive(
    "import each contact once if the import is killed and repeated",
    () =>
      Effect.gen(function* () {
        const { contactsOf, demo, file, newWorkspace } = yield* start
        const workspace = yield* newWorkspace
        const rows = Array.from({ length: 10_000 }, (_, n) => `customer${n}@example.org,Customer ${n}`)
        const path = yield* file("many.csv", `email,first_name\n${rows.join("\n")}\n`)
        const message = ["contact", "import", path, "--workspace", workspace, "--server", demo.base_url]
        const settings = { PARLEY_ADMIN_TOKEN: demo.admin_token }
        const count = Effect.map(contactsOf(workspace), ({ length }) => length)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const child = yield* parley(message, settings)
            yield* until("the first contacts are imported", async () => {
              const response = await fetch(`${demo.base_url}/admin/v1/contacts?limit=1&workspace_id=${workspace}`, {
                headers: { authorization: `Bearer ${demo.admin_token}` }
              })
              const { data } = (await response.json()) as { readonly data: ReadonlyArray<unknown> }
              return data.length > 0 ? true : undefined
            })
            child.signal("SIGKILL")
            yield* child.exit
          })
        )
        const midway = yield* count
        expect(midway).toBeGreaterThan(0)
        expect(midway).toBeLessThan(rows.length)
        const { code, output } = yield* outcomeOf([...message, "--json"], settings)
        expect([code, output]).toEqual([0, expect.stringContaining('"refused": 0')])
        const emails = (yield* contactsOf(workspace)).map(({ email }) => email)
        expect(emails).toHaveLength(rows.length)
        expect(new Set(emails).size).toBe(rows.length)
      }),
    120_000
  )
})
