import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { hosts } from "../host/run.js"
import { described } from "./described.js"

/** The programs that use the database directly. Loaded on demand, since other commands need no database. */
export const loadHosts = Effect.promise(() => import("../host/run.js"))

/** A command that uses the database directly. */
export const hostCommand = (name: string, host: keyof typeof hosts, description: string) =>
  Command.make(name, {}, () =>
    Effect.flatMap(loadHosts, ({ hosts }) => hosts[host] as Effect.Effect<unknown, Error>)
  ).pipe(described(description))
