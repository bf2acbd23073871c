'use strict';
(function () {
  const KEPT = 300;
  const PATIENCE = 5000;
  const LATE = 15000;
  const byId = id => document.getElementById(id);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const narrow = matchMedia('(max-width: 640px)');
  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const font = getComputedStyle(document.body).fontFamily;
  let points = [];
  let last = null;

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children.filter(c => c != null));
    return element;
  }
  const span = (className, text) => make('span', { className }, text);

  function bytes(n) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    let u = 0;
    while (n >= 1024 && u < units.length - 1) { n /= 1024; u++; }
    return (u === 0 || n >= 99.95 ? Math.round(n) : n.toFixed(1)) + ' ' + units[u];
  }
  function rate(n) {
    return (n >= 1e9 ? (n / 1e9).toFixed(1) + ' GB' : n >= 1e7 ? Math.round(n / 1e6) + ' MB'
      : n >= 1e5 ? (n / 1e6).toFixed(1) + ' MB' : n >= 1e3 ? Math.round(n / 1e3) + ' kB' : Math.round(n) + ' B') + '/s';
  }
  function time(s) {
    return s >= 5400 ? (s / 3600).toFixed(1) + ' h' : s >= 120 ? (s / 60).toFixed(1) + ' min'
      : s >= 10 || s === 0 ? Math.round(s) + ' s' : s.toFixed(1) + ' s';
  }
  const percent = (part, whole) => whole > 0 ? Math.round(100 * part / whole) + ' %' : '–';
  const signed = p => (p > 0 ? '+' : '') + p.toFixed(1) + ' %';
  const hour = at => new Date(at).toTimeString().slice(0, 8);

  function bar(part, whole) {
    const inner = make('i');
    inner.style.width = whole > 0 ? Math.min(100, 100 * part / whole) + '%' : '0';
    return make('span', { className: 'fill' }, inner);
  }

  function table(id, heads, rows, none) {
    const head = make('tr', {}, ...heads.map(([text, left]) => make('th', { className: left ? 'text' : '', scope: 'col' }, text)));
    const body = rows.length === 0
      ? [make('tr', {}, make('td', { className: 'text none', colSpan: heads.length }, none))]
      : rows.map(cells => make('tr', {}, ...cells.map((cell, i) =>
          make('td', { className: heads[i][1] ? 'text' : '' }, ...[].concat(cell)))));
    byId(id).replaceChildren(make('thead', {}, head), make('tbody', {}, ...body));
  }

  function figure(value, label) {
    return make('div', { className: 'figure' }, make('b', {}, value), span('', label));
  }

  function top(d) {
    const open = d.phases.open.map(p => p.application);
    const names = open.slice(0, 3).join(', ') + (open.length > 3 ? ', …' : '');
    byId('state').textContent = open.length === 0
      ? (d.deployment.held ? 'Held: ' + d.deployment.permits : 'No HPC phase: prefetching is open')
      : names + (open.length > 1 ? ' are' : ' is') + ' in a phase: prefetching is ' + (d.deployment.held ? 'held' : 'open');
    byId('lede').textContent = d.deployment.mode + ' over ' + d.deployment.origin + ', up ' + time(d.deployment.uptimeSeconds);
    const now = points.length ? points[points.length - 1] : [0, 0, null];
    const next = d.phases.expected.find(e => e.at > d.at);
    const saved = d.applications.reduce((sum, a) => sum + (a.savedSeconds || 0), 0);
    byId('figures').replaceChildren(
      figure(rate(now[1]), 'we move at the origin'),
      figure(now[2] == null ? 'not counted' : rate(now[2]), 'others move'),
      figure(percent(d.deployment.fromRamBytes, d.deployment.servedBytes + d.deployment.pastBytes), 'of ' + bytes(d.deployment.servedBytes + d.deployment.pastBytes) + ' read came from RAM'),
      figure(time(saved), 'of task time saved, estimated'),
      figure(bytes(d.deployment.ramBytes), 'in RAM of ' + bytes(d.deployment.ramCapacityBytes)),
      figure(next ? time(Math.max(0, (next.at - d.at) / 1000)) : '–', next ? 'to ' + next.application + "'s next phase" : 'no phase is expected'));
  }

  function notes(d) {
    byId('notes').replaceChildren(...d.notes.map(n =>
      make('li', { className: n.level }, n.text, n.command ? make('code', {}, n.command) : null)));
  }

  function applications(d) {
    table('applications',
      [['application', true], ['wave'], ['next wave in RAM', true], ['splits ended'], ['read'], ['waited'], ['saved']],
      d.applications.map(a => [
        [a.name || a.id, a.name ? span('sub', a.id) : null],
        String(a.wave),
        [bar(a.windowInRamBytes, a.windowBytes), percent(a.windowInRamBytes, a.windowBytes), span('sub', bytes(a.windowInRamBytes) + ' of ' + bytes(a.windowBytes))],
        a.endedSplits + ' of ' + a.splits,
        bytes(a.readBytes),
        [time(a.waitedSeconds), a.tasks ? span('sub', time(a.waitedSeconds / a.tasks) + ' a task') : null],
        a.savedSeconds == null ? '–' : time(a.savedSeconds)]),
      'No Spark application runs.');
  }

  function hpc(d) {
    const next = name => d.phases.expected.find(e => e.application === name && e.at > d.at);
    table('hpc',
      [['application', true], ['now', true], ['phases'], ['against alone'], ['all nodes held'], ['held before it began'], ['next phase', true]],
      d.hpc.map(h => [
        h.application,
        h.open ? span('pill bad', 'in a phase') : span('pill', 'computing'),
        [String(h.phases), h.phases ? span('sub', time(h.seconds / h.phases) + ' each') : null],
        h.slowdownPercent == null ? 'not known yet'
          : Math.abs(h.slowdownPercent) <= h.slowdownErrorPercent ? ['as alone', span('sub', '± ' + h.slowdownErrorPercent.toFixed(1) + ' %')]
          : [signed(h.slowdownPercent), span('sub', '± ' + h.slowdownErrorPercent.toFixed(1) + ' %')],
        percent(h.held, h.phases), percent(h.heldBefore, h.phases),
        next(h.application) ? 'in ' + time((next(h.application).at - d.at) / 1000) : '–']),
      'No phase has been seen.');
  }

  function nodes(d) {
    table('nodes',
      [['node', true], ['RAM', true], ['served'], ['from RAM'], ['queued'], ['permit', true]],
      d.nodes.map(n => [
        [n.id, span('sub', n.address)],
        [bar(n.ramBytes, n.ramCapacityBytes), percent(n.ramBytes, n.ramCapacityBytes), span('sub', bytes(n.ramBytes) + ' of ' + bytes(n.ramCapacityBytes))],
        bytes(n.servedBytes), percent(n.fromRamBytes, n.servedBytes), String(n.queued),
        n.heardMillisAgo > 3000 ? span('pill bad', 'silent for ' + time(n.heardMillisAgo / 1000))
          : n.permitOpen ? span('pill good', 'open') : span('pill', 'held')]),
      'No node is here.');
  }

  const chart = echarts.init(byId('traffic'));

  function axis() {
    return {
      axisLine: { lineStyle: { color: color('--line') } }, axisTick: { show: false },
      axisLabel: { color: color('--soft'), fontFamily: font, hideOverlap: true },
      splitLine: { lineStyle: { color: color('--line') } }
    };
  }

  /** Shaded stretches of time: open and past phases, and expected ones with a dashed border. */
  function areas(d, from, to) {
    const known = d.phases.past.map(p => ({ name: p.application, from: p.began, to: p.began + 1000 * p.seconds, next: false }))
      .concat(d.phases.open.map(p => ({ name: p.application, from: p.began, to: d.at, next: false })))
      .concat(d.phases.expected.map(p => ({ name: p.application, from: p.at, to: p.at + 1000 * p.seconds, next: true })));
    return known.filter(a => a.to > from && a.from < to).map(a => [
      { xAxis: Math.max(from, a.from), name: (a.to - a.from) > (to - from) / (narrow.matches ? 6 : 14) ? a.name : '',
        itemStyle: { color: a.next ? 'transparent' : color('--phase'), borderColor: color('--edge'), borderWidth: a.next ? 1 : 0, borderType: 'dashed' } },
      { xAxis: Math.min(to, a.to) }]);
  }

  function line(name, place, paint) {
    return { name, type: 'line', stack: 'origin', symbol: 'none', lineStyle: { width: 1, color: paint },
      areaStyle: { color: paint, opacity: .75 }, itemStyle: { color: paint }, data: points.map(p => [p[0], p[place] || 0]) };
  }

  function traffic(d) {
    const to = d.at + 30000;
    const from = Math.max(d.at - KEPT * 1000, Math.min(d.at - 60000, points.length ? points[0][0] : d.at));
    const capacity = d.traffic.capacityBytesPerSecond;
    const ours = line('we move', 1, color('--ours'));
    ours.markArea = { silent: true, label: { color: color('--soft'), fontFamily: font, fontSize: 11, position: 'insideTop' }, data: areas(d, from, to) };
    if (capacity) {
      ours.markLine = { silent: true, symbol: 'none', label: { show: false },
        lineStyle: { color: color('--soft'), type: 'dotted', width: 1.5 }, data: [{ yAxis: capacity }] };
    }
    byId('counted').textContent = points.some(p => p[2] != null) ? '' : ' · nobody counts what others move here';
    chart.setOption({
      animation: false, textStyle: { fontFamily: font, color: color('--ink') },
      grid: { left: 8, right: 30, top: 14, bottom: 6, containLabel: true },
      xAxis: Object.assign({ type: 'time', min: from, max: to }, axis(), { axisLabel: Object.assign(axis().axisLabel, { formatter: '{HH}:{mm}:{ss}' }), splitNumber: narrow.matches ? 3 : 8, splitLine: { show: false } }),
      yAxis: Object.assign({ type: 'value', max: v => Math.max(v.max, capacity ? 1.05 * capacity : 0, 1e6) }, axis(), { splitNumber: 4, axisLabel: Object.assign(axis().axisLabel, { formatter: rate, showMaxLabel: false }) }),
      tooltip: { trigger: 'axis', renderMode: 'richText', confine: true, backgroundColor: color('--card'), borderColor: color('--line'),
        textStyle: { color: color('--ink'), fontFamily: font, fontSize: 12 },
        formatter: all => hour(all[0].value[0]) + '\n' + all.map(s => s.seriesName + ': ' + rate(s.value[1])).join('\n') },
      series: [ours, line('others move', 2, color('--others'))]
    }, { notMerge: true });
  }

  function show(d) {
    top(d);
    notes(d);
    traffic(d);
    applications(d);
    hpc(d);
    nodes(d);
    const bad = d.sources.filter(s => s.state !== 'fresh').map(s => s.name + ' ' + s.state);
    byId('foot').textContent = 'As of ' + hour(d.at) + '. Phases are seen by ' + d.sources.filter(s => s.state === 'fresh').map(s => s.name).join(', ')
      + (bad.length ? '; not by ' + bad.join(', ') : '') + '.';
    document.body.dataset.shown = String(d.at);
  }

  function take(d) {
    const newest = points.length ? points[points.length - 1][0] : 0;
    points = points.concat(d.traffic.points.filter(p => p[0] > newest)).slice(-KEPT);
    last = d;
    show(d);
  }

  function link(className, text) {
    byId('link').className = 'link ' + className;
    byId('link').textContent = text;
  }

  let events = null;
  let heard = Date.now();
  let tried = 0;
  let ended = false;

  function follow() {
    if (events) events.close();
    tried = Date.now();
    events = new EventSource('/live/events' + location.search);
    events.onmessage = event => {
      heard = Date.now();
      const d = JSON.parse(event.data);
      if (d.version > 1) {
        ended = true;
        events.close();
        link('off', 'reload: the coordinator is newer');
      } else {
        link('on', 'live');
        take(d);
      }
    };
    events.onerror = () => events.readyState === EventSource.CLOSED ? refused() : lost();
  }

  /** The browser does not say by which answer a stream was refused: that of another question does. */
  function refused() {
    fetch('/live/document' + location.search).then(answer => {
      ended = answer.status === 401;
      if (ended) link('off', 'ended: get the new URL from live.url');
      else if (answer.ok) link('off', 'too many look already, trying again');
      else lost();
    }, lost);
  }

  function lost() {
    const silent = Date.now() - heard;
    link('off', silent < LATE ? 'lost, trying again'
      : 'lost for ' + time(silent / 1000) + ': if it was started again, its URL is new (live.url)');
  }

  follow();
  // The connection to a host that is lost or frozen stays open. By the clock, since timers of a tab in
  // the background come late.
  setInterval(() => {
    const now = Date.now();
    if (ended || now - heard <= PATIENCE) return;
    if (events.readyState === EventSource.OPEN) link('off', 'silent for ' + time((now - heard) / 1000));
    else if (events.readyState === EventSource.CONNECTING) lost();
    if (now - Math.max(heard, tried) > LATE) follow();
  }, 1000);
  dark.addEventListener('change', () => last && show(last));
  addEventListener('resize', () => { chart.resize(); if (last) show(last); });
})();
