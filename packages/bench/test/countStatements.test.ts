import { describe, expect, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { countedSince, countedSoFar, countStatements } from "../src/measuring/countStatements.js"

describe("countStatements", () => {
  it("counts what SQLite is given, each time that it is run, and what is committed", () => {
    countStatements()
    const database = new Database(":memory:")
    database.exec("CREATE TABLE things (id INTEGER)")
    const before = countedSoFar()
    database.prepare("BEGIN").run()
    const insert = database.prepare("INSERT INTO things VALUES (?) RETURNING id")
    expect(insert.all(1)).toEqual([{ id: 1 }])
    expect(insert.get(2)).toEqual({ id: 2 })
    database.prepare("COMMIT").run()
    expect(countedSince(before, 1)).toEqual({ statements: 4, transactions: 1 })
    expect(countedSince(before, 2)).toEqual({ statements: 2, transactions: 0.5 })
    database.close()
  })
})
