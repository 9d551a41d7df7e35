import { Context, Effect, Layer, type Scope } from "effect"

type AnyLayer = Layer.Layer<never, unknown, unknown>

/** How each layer of {@link serviceLayer} makes its service. */
const makes = new WeakMap<AnyLayer, Effect.Effect<Context.Context<unknown>, unknown, unknown>>()

/** The layer of a service that {@link inOrder} takes. Otherwise like `Layer.scoped`. */
export const serviceLayer = <I, S, E, In>(
  tag: Context.Tag<I, S>,
  make: Effect.Effect<S, E, In>
): Layer.Layer<I, E, Exclude<In, Scope.Scope>> => {
  const makeContext = Effect.map(make, (service) => Context.make(tag, service) as Context.Context<unknown>)
  const layer = Layer.scopedContext(makeContext)
  makes.set(layer, makeContext)
  return layer
}

/** The services that a host has to provide: those that a layer needs and none before it has. */
type Needs<Layers, Made = never, Found = never> = Layers extends readonly [
  Layer.Layer<infer Out, infer _E, infer In>,
  ...infer Rest
]
  ? Needs<Rest, Made | Out, Found | Exclude<In, Made>>
  : Found

/**
 * One layer of many services: makes each with those before it, and ends them in reverse order. An engine has 70
 * services. `Layer.mergeAll` and `Layer.provideMerge` use a fiber, a scope and an entry of their memo for each, which
 * takes longer than to make the services.
 */
export const inOrder = <const Layers extends ReadonlyArray<AnyLayer>>(
  ...layers: Layers
): Layer.Layer<
  { [K in keyof Layers]: Layer.Layer.Success<Layers[K]> }[number],
  { [K in keyof Layers]: Layer.Layer.Error<Layers[K]> }[number],
  Needs<Layers>
> => {
  const inside = layers.map((layer) => {
    const make = makes.get(layer)
    if (make === undefined) throw new Error("inOrder takes layers of serviceLayer only.")
    return make
  })
  const make = Effect.gen(function* () {
    let present = yield* Effect.context<unknown>()
    const made: Array<Context.Context<unknown>> = []
    for (const one of inside) {
      const given = present
      const service = yield* Effect.mapInputContext(one, () => given)
      made.push(service)
      present = Context.merge(present, service)
    }
    return Context.mergeAll(...made)
  })
  return Layer.scopedContext(make) as never
}
