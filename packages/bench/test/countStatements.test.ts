import { describe, expect, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { countStatements, statementsSoFar } from "../src/measuring/countStatements.js"

describe("countStatements", () => {
  it("counts what SQLite is given, each time that it is run", () => {
    countStatements()
    const database = new Database(":memory:")
    database.exec("CREATE TABLE things (id INTEGER)")
    const before = statementsSoFar()
    database.prepare("BEGIN").run()
    const insert = database.prepare("INSERT INTO things VALUES (?) RETURNING id")
    expect(insert.all(1)).toEqual([{ id: 1 }])
    expect(insert.get(2)).toEqual({ id: 2 })
    database.prepare("COMMIT").run()
    expect(statementsSoFar() - before).toBe(4)
    database.close()
  })
})
