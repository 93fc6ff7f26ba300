import { describeMachine, type Machine } from './frame/machine';
import { MeasuredService, type ServiceOptions } from './frame/measured-service';
import { embeddedPlaces, type Place } from './frame/place';
import type { PostgresServer } from './frame/postgres-server';

/** What a part is run with. Whatever it makes here ends with the part, however the part ends. */
export class BenchContext {
  readonly machine: Machine;
  private readonly embedded = embeddedPlaces();
  private readonly services: MeasuredService[] = [];
  private readonly places: Place[] = [];

  constructor(
    /** Whether the short form is wanted: fewer rounds, less data. */
    readonly short: boolean,
    readonly postgres: PostgresServer,
    private readonly write: (line: string) => void,
  ) {
    this.machine = describeMachine(postgres);
  }

  /** How often contenders alternate. */
  get rounds(): number {
    return this.short ? 2 : 3;
  }

  /** Reports the progress to whoever waits. */
  say(line: string): void {
    this.write(line);
  }

  /** A fresh database on the PostgreSQL server, migrated and empty. */
  async freshDatabase(): Promise<Place & { url: string }> {
    return this.dropped(await this.postgres.place());
  }

  /** A copy of a database that nobody is connected to. */
  async copyOf(place: Place): Promise<Place & { url: string }> {
    return this.dropped(await this.postgres.copy(place));
  }

  /** A fresh embedded database, migrated and empty. */
  async freshEmbedded(): Promise<Place> {
    const place = await this.embedded.make();
    this.places.push(place);
    return place;
  }

  /** Starts the built service on a place and waits until it listens. */
  async startService(place: Place, options: ServiceOptions = {}): Promise<MeasuredService> {
    const service = await MeasuredService.start(place, options);
    this.services.push(service);
    return service;
  }

  /** Ends the services and drops the databases that are left. */
  async cleanUp(): Promise<void> {
    for (const service of this.services.splice(0)) await service.kill();
    for (const place of this.places.splice(0)) await place.drop();
  }

  /** One that is dropped with the others. */
  private dropped(place: Place): Place & { url: string } {
    this.places.push(place);
    return { ...place, url: place.url ?? '' };
  }

  /** After the last part. */
  async close(): Promise<void> {
    await this.cleanUp();
    this.embedded.close();
  }
}
