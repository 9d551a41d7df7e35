import { Context, Effect, FiberRef, Layer, type Scope } from "effect"

type AnyLayer = Layer.Layer<never, unknown, unknown>

type Make = Effect.Effect<Context.Context<never>, unknown, unknown>

/** How each layer of {@link servicesLayer} makes its services. */
const makes = new WeakMap<AnyLayer, Make>()
const makeOf = (layer: AnyLayer): Make => {
  const make = makes.get(layer)
  if (make === undefined) throw new Error("Only layers of serviceLayer and servicesLayer can be made in order.")
  return make
}
/** The layers of {@link internal}. */
const internalLayers = new WeakSet<AnyLayer>()

/** A layer that {@link inOrder} takes. Otherwise like `Layer.scopedContext`. */
export const servicesLayer = <Out, E, In>(
  make: Effect.Effect<Context.Context<Out>, E, In>
): Layer.Layer<Out, E, Exclude<In, Scope.Scope>> => {
  const layer = Layer.scopedContext(make)
  makes.set(layer as AnyLayer, make as Effect.Effect<Context.Context<never>, E, In>)
  return layer
}

/** The layer of one service that {@link inOrder} takes. Otherwise like `Layer.scoped`. */
export const serviceLayer = <I, S, E, In>(
  tag: Context.Tag<I, S>,
  make: Effect.Effect<S, E, In>
): Layer.Layer<I, E, Exclude<In, Scope.Scope>> =>
  servicesLayer(Effect.map(make, (service) => Context.make(tag, service)))

/** The same services, which {@link inOrder} gives to the layers after this one only. */
export const internal = <Out, E, In>(layer: Layer.Layer<Out, E, In>): Layer.Layer<Out, E, In> => {
  const copy = servicesLayer(makeOf(layer as AnyLayer))
  internalLayers.add(copy as AnyLayer)
  return copy as Layer.Layer<unknown> as Layer.Layer<Out, E, In>
}

/** The services that a host has to provide: those that a layer needs and none before it has. */
type Needs<Layers, Made = never, Found = never> = Layers extends readonly [
  Layer.Layer<infer Out, infer _E, infer In>,
  ...infer Rest
]
  ? Needs<Rest, Made | Out, Found | Exclude<In, Made>>
  : Found

/**
 * One layer of many services: makes each with those before it, and ends them in reverse order.
 *
 * An engine has 70 services. `Layer.mergeAll` and `Layer.provideMerge` use a fiber, a scope and an entry of their memo
 * for each, which takes longer than to make the services.
 */
export const inOrder = <const Layers extends ReadonlyArray<AnyLayer>>(
  ...layers: Layers
): Layer.Layer<
  { [K in keyof Layers]: Layer.Layer.Success<Layers[K]> }[number],
  { [K in keyof Layers]: Layer.Layer.Error<Layers[K]> }[number],
  Needs<Layers>
> => {
  const steps = layers.map((layer) => ({ make: makeOf(layer), isInternal: internalLayers.has(layer) }))
  const make = Effect.gen(function* () {
    const made: Array<Context.Context<never>> = []
    let present = yield* Effect.context<never>()
    for (const { isInternal, make } of steps) {
      const services = yield* make
      if (!isInternal) made.push(services)
      present = Context.merge(present, services)
      // In the same fiber, because an effect that is provided with a context of its own takes ten times as long.
      yield* FiberRef.set(FiberRef.currentContext, present)
    }
    return Context.mergeAll(...made)
  })
  // Its context is that of the host again afterwards.
  return servicesLayer(Effect.mapInputContext(make, (context: Context.Context<unknown>) => context)) as never
}
