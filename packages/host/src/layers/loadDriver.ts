import { Data, Effect, Predicate } from "effect"

/** The package of a database's driver is not installed. */
export class DriverMissing extends Data.TaggedError("DriverMissing")<{ readonly driver: string }> {
  override get message(): string {
    return `the package ${this.driver} is not installed. Install it: npm install ${this.driver}`
  }
}

/**
 * Loads a storage adapter, which imports its driver, when the database is used: services install only the driver that
 * they use.
 */
export const loadDriver = <Adapter>(
  driver: string,
  load: () => Promise<Adapter>
): Effect.Effect<Adapter, DriverMissing> =>
  Effect.tryPromise(load).pipe(
    Effect.catchAll(({ error }) => (isMissing(error, driver) ? new DriverMissing({ driver }) : Effect.die(error)))
  )

const isMissing = (error: unknown, driver: string): boolean =>
  Predicate.hasProperty(error, "code") &&
  (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND") &&
  String(error).includes(`'${driver}'`)
