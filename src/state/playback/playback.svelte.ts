/** Plays a log as it happened: the same views are drawn from it as from a live server. */
import type { FrameBatcher } from '../../base/frameBatcher.ts';
import type { Entry } from '../../log/entry/entry.ts';
import {
  advance,
  clockOver,
  faster,
  seek,
  toggled,
  type PlayClock,
  type Speed,
} from '../../timeline/playback/playClock.ts';
import { countUntil, pausesOf, timeBeside, timesOf } from '../../timeline/playback/playTimes.ts';
import { Folds } from '../../timeline/story/folds.ts';
import type { KeptText } from '../storage/keptText.ts';
import { ServerView } from '../serverView.svelte.ts';
import { PlayedServer, type PlayedOf } from './playedServer.ts';

export interface PlaybackOptions {
  readonly of: PlayedOf;
  readonly entries: readonly Entry[];
  readonly frames: FrameBatcher;
  /** What a view keeps while the log is played. */
  readonly kept: KeptText;
}

interface Shown {
  readonly played: PlayedServer;
  readonly view: ServerView;
}

const NO_PAUSES = new Folds();

export class Playback {
  readonly #o: PlaybackOptions;
  readonly #times: readonly number[];
  readonly #pauses: Folds;
  #clock: PlayClock;
  #shortensPauses = $state(true);
  #shown: Shown;
  /** Another view is on its way: an earlier moment is folded from the beginning. */
  #isRewinding = false;
  #frame = 0;

  constructor(options: PlaybackOptions) {
    this.#o = options;
    this.#times = timesOf(options.entries);
    this.#pauses = pausesOf(this.#times);
    this.#clock = $state.raw(clockOver(this.#times));
    this.#shown = $state.raw(this.#make());
  }

  /** The server as it was at this moment. */
  get server(): ServerView {
    return this.#shown.view;
  }

  get clock(): PlayClock {
    return this.#clock;
  }

  /** The moment that is shown. */
  get at(): number {
    return this.#clock.at;
  }

  /** How far it is, from 0 to 1, with pauses as they are played. */
  get share(): number {
    return this.#shareOf(this.at);
  }

  /** Where pages were loaded again, from 0 to 1. */
  get reloads(): readonly number[] {
    const loads = this.#o.entries.flatMap(({ kind }, i) => (kind === 'load' ? [this.#times[i] ?? 0] : []));
    return loads.slice(1).map((time) => this.#shareOf(time));
  }

  get shortensPauses(): boolean {
    return this.#shortensPauses;
  }

  set shortensPauses(wanted: boolean) {
    this.#shortensPauses = wanted;
  }

  toggle(): void {
    this.#go(toggled(this.#clock));
    this.#run();
  }

  pause(): void {
    if (this.#clock.isPlaying) this.toggle();
  }

  seek(time: number): void {
    this.#go(seek(this.#clock, time));
  }

  seekShare(share: number): void {
    const { from, to } = this.#clock;
    const [first, last] = [this.#inForce.shown(from), this.#inForce.shown(to)];
    this.seek(this.#inForce.time(first + share * (last - first)));
  }

  /** To the next entry, or to the one before. */
  step(by: 1 | -1): void {
    this.pause();
    this.seek(timeBeside(this.#times, this.at, by));
  }

  toEnd(): void {
    this.seek(this.#clock.to);
  }

  setSpeed(speed: Speed): void {
    this.#clock = { ...this.#clock, speed };
  }

  changeSpeed(by: 1 | -1): void {
    this.setSpeed(faster(this.#clock.speed, by));
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#clock = { ...this.#clock, isPlaying: false };
  }

  /** Frame by frame while it plays. */
  #run(): void {
    cancelAnimationFrame(this.#frame);
    let before: number | undefined;
    const frame = (now: number): void => {
      if (!this.#clock.isPlaying) return;
      this.#go(advance(this.#clock, now - (before ?? now), this.#inForce));
      before = now;
      this.#frame = requestAnimationFrame(frame);
    };
    this.#frame = requestAnimationFrame(frame);
  }

  get #inForce(): Folds {
    return this.#shortensPauses ? this.#pauses : NO_PAUSES;
  }

  #shareOf(time: number): number {
    const { from, to } = this.#clock;
    const [first, last] = [this.#inForce.shown(from), this.#inForce.shown(to)];
    return last > first ? (this.#inForce.shown(time) - first) / (last - first) : 1;
  }

  #go(clock: PlayClock): void {
    this.#clock = clock;
    const count = countUntil(this.#times, clock.at);
    const { played } = this.#shown;
    if (count >= played.played) played.playTo(count);
    else if (!this.#isRewinding) void this.#rewind();
  }

  /** The view before stays until the new one can be drawn, or the screen would be empty in between. */
  async #rewind(): Promise<void> {
    this.#isRewinding = true;
    const next = this.#make();
    next.played.playTo(countUntil(this.#times, this.at));
    const { timeline, selection } = this.#shown.view;
    next.view.timeline.change(timeline.setting);
    if (selection.row !== undefined) next.view.selection.pickRow(selection.row);
    await next.view.timeline.load();
    this.#shown = next;
    this.#isRewinding = false;
    this.#go(this.#clock);
  }

  #make(): Shown {
    const { of, entries, frames, kept } = this.#o;
    const played = new PlayedServer(of, entries, () => this.at);
    return { played, view: new ServerView(played, frames, kept) };
  }
}
