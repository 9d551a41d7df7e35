import type { Job, Lane } from "@parley/core"
import { type Column, columnsOf, type Table, textOf, uniqueOf } from "@parley/sql"
import { compareDue, positionOf } from "./dueOrder.js"
import type { Row } from "./storableRow.js"

/** The keys of the rows with the same values in some columns, by the text of these values. */
interface Index {
  readonly columns: ReadonlyArray<Column>
  readonly keys: Map<string, Set<string>>
}

const noRows: ReadonlyArray<Row> = []

/**
 * The rows of one table. Rows are immutable. A copy shares everything until one of both writes. Indexes are built at
 * the first lookup by their columns, and maintained afterwards.
 */
export class MemoryTable {
  readonly #unique: ReadonlyArray<Column> | null
  #rows: Map<string, Row>
  #indexes = new Map<string, Index>()
  /** Jobs by lane and due time; null: not built yet. */
  #lanes: Map<Lane, Array<Job>> | null = null
  /** Whether the rows and indexes are shared with a copy. */
  #shared = false

  constructor(
    readonly table: Table,
    rows: Map<string, Row> = new Map()
  ) {
    const unique = uniqueOf(table)
    this.#unique = unique === table.key ? null : unique
    this.#rows = rows
  }

  copy(): MemoryTable {
    const copy = new MemoryTable(this.table, this.#rows)
    copy.#indexes = this.#indexes
    copy.#lanes = this.#lanes
    copy.#shared = true
    this.#shared = true
    return copy
  }

  keyOf(row: Row): string {
    return textOf(this.table.key, row)
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  /** All rows, in the order of their insertion. */
  all(): Iterable<Row> {
    return this.#rows.values()
  }

  /** Whether another row has the key or the unique values of this one. */
  isTaken(row: Row): boolean {
    if (this.#rows.has(this.keyOf(row))) return true
    return this.isTakenByOther(row)
  }

  /** Whether a row with another key has the unique values of this one. */
  isTakenByOther(row: Row): boolean {
    if (this.#unique === null) return false
    const [holder] = this.#index(this.#unique).keys.get(valuesText(this.#unique, row)) ?? []
    return holder !== undefined && holder !== this.keyOf(row)
  }

  /** The rows with these values, in the order in which they got them. */
  find(columns: ReadonlyArray<Column>, values: Row): ReadonlyArray<Row> {
    if (columns.length === 0) return [...this.#rows.values()]
    if (columns === this.table.key || (columns.length === 1 && columns[0] === this.table.key[0])) {
      if (this.table.key.length === columns.length) {
        const row = this.#rows.get(this.keyOf(values))
        return row === undefined ? noRows : [row]
      }
    }
    const keys = this.#index(columns).keys.get(valuesText(columns, values))
    if (keys === undefined) return noRows
    const rows: Array<Row> = []
    for (const key of keys) rows.push(this.#rows.get(key) as Row)
    return rows
  }

  /** The rows with these values in the columns of these names. */
  findBy(where: Row): ReadonlyArray<Row> {
    return this.find(columnsOf(this.table, Object.keys(where)), where)
  }

  /** The jobs of a lane by due time, then id. The array must not be changed. */
  lane(lane: Lane): ReadonlyArray<Job> {
    if (this.#lanes === null) {
      const lanes = new Map<Lane, Array<Job>>()
      for (const row of this.#rows.values()) {
        const job = row as unknown as Job
        const jobs = lanes.get(job.lane)
        if (jobs === undefined) lanes.set(job.lane, [job])
        else jobs.push(job)
      }
      for (const jobs of lanes.values()) jobs.sort(compareDue)
      this.#lanes = lanes
    }
    return this.#lanes.get(lane) ?? []
  }

  /** Inserts or replaces a row. */
  put(row: Row): void {
    this.#own()
    const key = this.keyOf(row)
    const before = this.#rows.get(key)
    this.#rows.set(key, row)
    for (const { columns, keys } of this.#indexes.values()) {
      if (before !== undefined && columns.every(({ name }) => before[name] === row[name])) continue
      if (before !== undefined) forget(keys, valuesText(columns, before), key)
      add(keys, valuesText(columns, row), key)
    }
    if (this.#lanes === null) return
    if (before !== undefined) this.#dequeue(before as unknown as Job)
    this.#enqueue(row as unknown as Job)
  }

  delete(key: string): void {
    const before = this.#rows.get(key)
    if (before === undefined) return
    this.#own()
    this.#rows.delete(key)
    for (const { columns, keys } of this.#indexes.values()) forget(keys, valuesText(columns, before), key)
    if (this.#lanes !== null) this.#dequeue(before as unknown as Job)
  }

  #enqueue(job: Job): void {
    const jobs = this.#lanes?.get(job.lane)
    if (jobs === undefined) this.#lanes?.set(job.lane, [job])
    else jobs.splice(positionOf(jobs, job), 0, job)
  }

  #dequeue(job: Job): void {
    const jobs = this.#lanes?.get(job.lane)
    jobs?.splice(positionOf(jobs, job), 1)
  }

  #own(): void {
    if (!this.#shared) return
    this.#rows = new Map(this.#rows)
    this.#indexes = new Map()
    this.#lanes = null
    this.#shared = false
  }

  #index(columns: ReadonlyArray<Column>): Index {
    let id = ""
    for (const { name } of columns) id += `${name} `
    let index = this.#indexes.get(id)
    if (index === undefined) {
      index = { columns, keys: new Map() }
      for (const [key, row] of this.#rows) add(index.keys, valuesText(columns, row), key)
      this.#indexes.set(id, index)
    }
    return index
  }
}

/** The values of these columns as one text. Distinguishes null from text. */
const valuesText = (columns: ReadonlyArray<Column>, row: Row): string => {
  let text = ""
  for (const { name } of columns) {
    const value = row[name]
    text += typeof value === "string" ? `${value.length}:${value}` : `${value};`
  }
  return text
}

const add = (keys: Map<string, Set<string>>, text: string, key: string) => {
  const same = keys.get(text)
  if (same === undefined) keys.set(text, new Set([key]))
  else same.add(key)
}

const forget = (keys: Map<string, Set<string>>, text: string, key: string) => {
  const same = keys.get(text)
  same?.delete(key)
  if (same?.size === 0) keys.delete(text)
}
