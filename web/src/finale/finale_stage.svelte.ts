import type { Component } from 'svelte';
import { t } from '../i18n/index.svelte.ts';
import type { Picture } from '../board/picture.ts';
import type { TableSession } from '../table/session.svelte.ts';
import type { FinalePlayer } from './finale_player.svelte.ts';

type Playing = Component<{ player: FinalePlayer }>;
type Shown = Component<{
  player: FinalePlayer;
  seatName: (seat: number) => string;
  onfilm?: () => void;
  onrematch?: (() => void) | undefined;
}>;

/** The finale at a table; it is loaded when it is played. */
export class FinaleStage {
  player = $state.raw<FinalePlayer | null>(null);
  View = $state.raw<Shown | null>(null);
  Train = $state.raw<Playing | null>(null);

  /** Play the finale of a table whose game is over. */
  async play(session: TableSession, picture: () => Picture | null): Promise<void> {
    const { final, edition } = session.model;
    if (!final?.finale || !edition || this.player) return;
    const parts = await Promise.all([
      import('./finale_player.svelte.ts'),
      import('./Finale.svelte'),
      import('./FinaleTrain.svelte'),
    ]).catch(() => null);
    if (!parts) return session.notice.say(t('gone.about'));
    const [player, view, train] = parts;
    this.View = view.default as Shown;
    this.Train = train.default as Playing;
    this.player = new player.FinalePlayer({
      result: final.result,
      finale: final.finale,
      edition,
      picture,
      show: (path, marks) => session.map.showFinal(path, marks),
      onend: () => (this.player = null),
    });
  }

  stop = (): void => {
    this.player?.stop();
  };
}
